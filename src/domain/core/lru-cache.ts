type Entry<V> = { readonly value: V; readonly cost: number };

/**
 * A map with a bound, for anything that callers can fill: beyond `maxCost` the least recently used entries are removed. The cost of an
 * entry is 1 by default, so that `maxCost` is a count; callers that pass bytes get a bound in bytes and have to count keys too.
 */
export class LruCache<K, V> {
  readonly #entries = new Map<K, Entry<V>>();
  readonly #maxCost: number;
  readonly #onRemove: ((key: K, value: V) => void) | undefined;
  #cost = 0;

  /** `onRemove` is called for every entry that leaves the cache, whether evicted, replaced or deleted. */
  constructor(maxCost: number, onRemove?: (key: K, value: V) => void) {
    this.#maxCost = maxCost;
    this.#onRemove = onRemove;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The summed cost of all entries; never more than `maxCost`. */
  get cost(): number {
    return this.#cost;
  }

  /** Returns the value and marks it as recently used. */
  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Returns the value without marking it as used, which is cheaper. */
  peek(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Stores the value as the most recently used one. A value that costs more than the whole cache may hold is not stored. */
  set(key: K, value: V, cost = 1): void {
    this.delete(key);
    if (cost > this.#maxCost) return;
    this.#entries.set(key, { value, cost });
    this.#cost += cost;
    // A map keeps insertion order, so the first key is the least recently used one.
    for (const oldest of this.#entries.keys()) {
      if (this.#cost <= this.#maxCost) break;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#cost -= entry.cost;
    this.#onRemove?.(key, entry.value);
  }

  /** All entries, the least recently used first. */
  *entries(): Generator<[K, V]> {
    for (const [key, { value }] of this.#entries) yield [key, value];
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.delete(key);
  }
}
