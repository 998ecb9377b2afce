/**
 * A queue of waiting items that is fair among their owners. The owner with the fewest running items goes first; among equals, the one
 * whose last turn was longest ago. The items of one owner keep their order.
 */
export type FairQueue<Item> = {
  /** The number of waiting items. */
  readonly size: number;
  add(owner: string, item: Item): void;
  /** Removes and returns the next item for which `mayStart` returns true; undefined if there is none. */
  take(mayStart?: (item: Item) => boolean): Item | undefined;
  /** Removes this item. Returns false when it no longer waits. */
  remove(item: Item): boolean;
  /** Removes and returns all items. */
  clear(): Item[];
  /** Returns the number of waiting items of this owner. */
  countWaiting(owner: string): number;
  /** Records a turn of this owner, for an item that did not have to wait. `take` records turns by itself. */
  recordTurn(owner: string): void;
};

/** Maximum number of owners whose last turn is remembered. */
const MAX_REMEMBERED_OWNERS = 1_000;

/** Creates a fair queue. `countRunning` returns the number of running items of an owner. Without it, owners simply take turns. */
export function createFairQueue<Item>(countRunning: (owner: string) => number = () => 0): FairQueue<Item> {
  return new LeastRunningFirst(countRunning);
}

class LeastRunningFirst<Item> implements FairQueue<Item> {
  readonly #countRunning: (owner: string) => number;
  /** Contains only owners with waiting items. */
  readonly #waiting = new Map<string, Item[]>();
  /** The number of the last turn of each owner, in ascending order. */
  readonly #turns = new Map<string, number>();
  #lastTurn = 0;
  #size = 0;

  constructor(countRunning: (owner: string) => number) {
    this.#countRunning = countRunning;
  }

  get size(): number {
    return this.#size;
  }

  add(owner: string, item: Item): void {
    const items = this.#waiting.get(owner);
    if (items) items.push(item);
    else this.#waiting.set(owner, [item]);
    this.#size++;
  }

  take(mayStart: (item: Item) => boolean = () => true): Item | undefined {
    for (const [owner, items] of [...this.#waiting].sort(([one], [other]) => this.#compare(one, other))) {
      const index = items.findIndex(mayStart);
      if (index < 0) continue;
      this.recordTurn(owner);
      return this.#removeAt(owner, items, index);
    }
    return undefined;
  }

  remove(item: Item): boolean {
    for (const [owner, items] of this.#waiting) {
      const index = items.indexOf(item);
      if (index < 0) continue;
      this.#removeAt(owner, items, index);
      return true;
    }
    return false;
  }

  clear(): Item[] {
    const all = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#size = 0;
    return all;
  }

  countWaiting(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  recordTurn(owner: string): void {
    this.#turns.delete(owner);
    this.#turns.set(owner, ++this.#lastTurn);
    if (this.#turns.size > MAX_REMEMBERED_OWNERS) this.#turns.delete(this.#turns.keys().next().value ?? "");
  }

  #compare(one: string, other: string): number {
    return this.#countRunning(one) - this.#countRunning(other) || (this.#turns.get(one) ?? 0) - (this.#turns.get(other) ?? 0);
  }

  #removeAt(owner: string, items: Item[], index: number): Item | undefined {
    const [item] = items.splice(index, 1);
    if (items.length === 0) this.#waiting.delete(owner);
    this.#size--;
    return item;
  }
}
