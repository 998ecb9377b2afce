/**
 * Items that wait, by owner. The owner with the fewest running items goes first, and of those the one that was served longest ago. The
 * items of one owner keep their order.
 */
export type FairQueue<Item> = {
  /** The number of items that wait. */
  readonly size: number;
  add(owner: string, item: Item): void;
  /** Removes and returns the next item that may start, of the first owner that has one. */
  take(mayStart?: (item: Item) => boolean): Item | undefined;
  /** Removes this item; returns false when it no longer waits. */
  remove(item: Item): boolean;
  /** Removes and returns everything. */
  clear(): Item[];
  /** How many items of this owner wait. */
  countOf(owner: string): number;
  /** Counts a turn of this owner, for an item that did not have to wait. `take` does so by itself. */
  recordTurn(owner: string): void;
};

/** Owners whose last turn is remembered while nothing of theirs waits. */
const MAX_REMEMBERED_OWNERS = 1_000;

/** Without `runningOf` (how many items of an owner run now) owners take turns, whatever runs. */
export function createFairQueue<Item>(runningOf: (owner: string) => number = () => 0): FairQueue<Item> {
  return new RoundRobin(runningOf);
}

class RoundRobin<Item> implements FairQueue<Item> {
  readonly #runningOf: (owner: string) => number;
  /** Owners without items are left out. */
  readonly #waiting = new Map<string, Item[]>();
  /** The number of each owner's last turn, the latest last. */
  readonly #turns = new Map<string, number>();
  #lastTurn = 0;
  #size = 0;

  constructor(runningOf: (owner: string) => number) {
    this.#runningOf = runningOf;
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

  countOf(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  recordTurn(owner: string): void {
    this.#turns.delete(owner);
    this.#turns.set(owner, ++this.#lastTurn);
    if (this.#turns.size > MAX_REMEMBERED_OWNERS) this.#turns.delete(this.#turns.keys().next().value ?? "");
  }

  #compare(one: string, other: string): number {
    return this.#runningOf(one) - this.#runningOf(other) || (this.#turns.get(one) ?? 0) - (this.#turns.get(other) ?? 0);
  }

  #removeAt(owner: string, items: Item[], index: number): Item | undefined {
    const [item] = items.splice(index, 1);
    if (items.length === 0) this.#waiting.delete(owner);
    this.#size--;
    return item;
  }
}
