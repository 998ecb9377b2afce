/** Items that wait, by owner: the owner that was served longest ago goes first, and the items of one owner keep their order. */
export type FairQueue<Item> = {
  add(owner: string, item: Item): void;
  /** Takes out the next item that may go, of the first owner that has one. */
  take(mayGo: (item: Item) => boolean): Item | undefined;
  /** Takes out this item; false when it does not wait any more. */
  remove(item: Item): boolean;
  /** Takes out everything. */
  clear(): Item[];
};

/** Owners whose last turn is remembered while nothing of theirs waits. */
const MAX_REMEMBERED_OWNERS = 1_000;

export function createFairQueue<Item>(): FairQueue<Item> {
  /** Owners without items are left out. */
  const waiting = new Map<string, Item[]>();
  /** The number of each owner's last turn, the latest last. */
  const turns = new Map<string, number>();
  let lastTurn = 0;

  const takeAt = (owner: string, items: Item[], place: number): Item | undefined => {
    const [item] = items.splice(place, 1);
    if (items.length === 0) waiting.delete(owner);
    return item;
  };
  const noteTurn = (owner: string): void => {
    turns.delete(owner);
    turns.set(owner, ++lastTurn);
    if (turns.size > MAX_REMEMBERED_OWNERS) turns.delete(turns.keys().next().value ?? "");
  };
  return {
    add(owner, item) {
      const items = waiting.get(owner);
      if (items) items.push(item);
      else waiting.set(owner, [item]);
    },
    take(mayGo) {
      const inTurn = [...waiting].sort(([one], [other]) => (turns.get(one) ?? 0) - (turns.get(other) ?? 0));
      for (const [owner, items] of inTurn) {
        const place = items.findIndex(mayGo);
        if (place < 0) continue;
        noteTurn(owner);
        return takeAt(owner, items, place);
      }
      return undefined;
    },
    remove(item) {
      for (const [owner, items] of waiting) {
        const place = items.indexOf(item);
        if (place < 0) continue;
        takeAt(owner, items, place);
        return true;
      }
      return false;
    },
    clear() {
      const all = [...waiting.values()].flat();
      waiting.clear();
      return all;
    },
  };
}
