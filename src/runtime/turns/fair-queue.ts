/**
 * Who work belongs to. A path goes from the group to its member, such as a business and one of its API keys: groups take turns, and within
 * a group its members do.
 */
export type Owner = string | readonly string[];

/** Returns the names of the owner's groups from the outermost to the owner itself, each with those around it. */
export function listOwnerNames(owner: Owner): readonly string[] {
  if (typeof owner === "string") return [owner];
  let name = "";
  return owner.map((part, level) => (name = level === 0 ? part : `${name}\n${part}`));
}

/**
 * A queue of waiting items that is fair among their owners. The owner with the fewest running items goes first; among equals, the one
 * whose last turn was longest ago. With groups, this chooses the group first, then the member. The items of one owner keep their order.
 */
export type FairQueue<Item> = {
  /** The number of waiting items. */
  readonly size: number;
  add(owner: Owner, item: Item): void;
  /** Removes and returns the next item for which `mayStart` returns true; undefined if there is none. */
  take(mayStart?: (item: Item) => boolean): Item | undefined;
  /** Removes this item. Returns false when it no longer waits. */
  remove(item: Item): boolean;
  /** Removes and returns all items. */
  clear(): Item[];
  /** Returns the number of waiting items of an owner, or of a group by its name. */
  countWaiting(name: string): number;
  /** Records a turn of this owner, for an item that did not have to wait. `take` records turns by itself. */
  recordTurn(owner: Owner): void;
};

/** Maximum number of owners whose last turn is remembered. */
const MAX_REMEMBERED_OWNERS = 1_000;

/** Creates a fair queue. `countRunning` returns the number of running items of an owner or group. Without it, owners simply take turns. */
export function createFairQueue<Item>(countRunning: (name: string) => number = () => 0): FairQueue<Item> {
  return new LeastRunningFirst(countRunning);
}

type Line<Item> = { readonly names: readonly string[]; readonly items: Item[] };

class LeastRunningFirst<Item> implements FairQueue<Item> {
  readonly #countRunning: (name: string) => number;
  /** By the owner's full name. Contains only owners with waiting items. */
  readonly #lines = new Map<string, Line<Item>>();
  /** The number of waiting items by the names of owners and groups. */
  readonly #waiting = new Map<string, number>();
  /** The number of the last turn by the names of owners and groups, in ascending order. */
  readonly #turns = new Map<string, number>();
  #lastTurn = 0;
  #size = 0;

  constructor(countRunning: (name: string) => number) {
    this.#countRunning = countRunning;
  }

  get size(): number {
    return this.#size;
  }

  add(owner: Owner, item: Item): void {
    const names = listOwnerNames(owner);
    const name = names.at(-1) ?? "";
    const line = this.#lines.get(name);
    if (line) line.items.push(item);
    else this.#lines.set(name, { names, items: [item] });
    this.#count(names, 1);
  }

  take(mayStart: (item: Item) => boolean = () => true): Item | undefined {
    let best: { readonly line: Line<Item>; readonly index: number } | undefined;
    for (const line of this.#lines.values()) {
      if (best !== undefined && this.#compare(best.line.names, line.names) <= 0) continue;
      const index = line.items.findIndex(mayStart);
      if (index >= 0) best = { line, index };
    }
    if (best === undefined) return undefined;
    this.#recordTurn(best.line.names);
    return this.#removeAt(best.line, best.index);
  }

  remove(item: Item): boolean {
    for (const line of this.#lines.values()) {
      const index = line.items.indexOf(item);
      if (index < 0) continue;
      this.#removeAt(line, index);
      return true;
    }
    return false;
  }

  clear(): Item[] {
    const all = [...this.#lines.values()].flatMap(({ items }) => items);
    this.#lines.clear();
    this.#waiting.clear();
    this.#size = 0;
    return all;
  }

  countWaiting(name: string): number {
    return this.#waiting.get(name) ?? 0;
  }

  recordTurn(owner: Owner): void {
    this.#recordTurn(listOwnerNames(owner));
  }

  #recordTurn(names: readonly string[]): void {
    const turn = ++this.#lastTurn;
    for (const name of names) {
      this.#turns.delete(name);
      this.#turns.set(name, turn);
      if (this.#turns.size > MAX_REMEMBERED_OWNERS) this.#turns.delete(this.#turns.keys().next().value ?? "");
    }
  }

  /** Compares level by level. Owners of the same group are equal at the group's level. */
  #compare(one: readonly string[], other: readonly string[]): number {
    for (let level = 0; level < Math.max(one.length, other.length); level++) {
      const [a = "", b = ""] = [one[level], other[level]];
      if (a === b) continue;
      const difference = this.#countRunning(a) - this.#countRunning(b) || (this.#turns.get(a) ?? 0) - (this.#turns.get(b) ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #removeAt(line: Line<Item>, index: number): Item | undefined {
    const [item] = line.items.splice(index, 1);
    if (line.items.length === 0) this.#lines.delete(line.names.at(-1) ?? "");
    this.#count(line.names, -1);
    return item;
  }

  #count(names: readonly string[], change: number): void {
    this.#size += change;
    for (const name of names) {
      const count = (this.#waiting.get(name) ?? 0) + change;
      if (count > 0) this.#waiting.set(name, count);
      else this.#waiting.delete(name);
    }
  }
}
