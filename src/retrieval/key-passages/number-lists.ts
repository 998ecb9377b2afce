const INITIAL_LENGTH = 1_024;

/** Lists of whole numbers below 2^32, all in one array: many small arrays would take several times the memory. */
export class NumberLists {
  #values = new Uint32Array(INITIAL_LENGTH);
  #length = 0;
  readonly #ends: number[] = [];

  /** Appends a list. */
  add(list: Iterable<number>): void {
    for (const value of list) {
      if (this.#length === this.#values.length) {
        const longer = new Uint32Array(2 * this.#length);
        longer.set(this.#values);
        this.#values = longer;
      }
      this.#values[this.#length++] = value;
    }
    this.#ends.push(this.#length);
  }

  /** Returns the list with this index, without a copy. */
  get(index: number): Uint32Array {
    return this.#values.subarray(this.#ends[index - 1] ?? 0, this.#ends[index] ?? 0);
  }
}
