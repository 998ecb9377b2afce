/** Smaller parts are copied. */
const MIN_KEPT_BYTES = 4_096;
const MAX_BLOCK_BYTES = 65_536;

/**
 * Collects bytes that arrive in parts. Each part is an object of some hundred bytes and may keep the memory of a longer one, and its sender
 * chooses how few bytes it holds. So small parts are copied into blocks, and the memory depends on the number of bytes alone.
 */
export class ByteCollector {
  #parts: Uint8Array[] = [];
  #block = new Uint8Array(0);
  /** The bytes of the block that are not in `#parts` yet. */
  #from = 0;
  #to = 0;
  #size = 0;

  /** The number of bytes collected. */
  get size(): number {
    return this.#size;
  }

  add(part: Uint8Array): void {
    this.#size += part.length;
    if (part.length >= MIN_KEPT_BYTES) {
      this.#closeBlock();
      this.#parts.push(part);
      return;
    }
    if (part.length > this.#block.length - this.#to) {
      this.#closeBlock();
      // Blocks grow with the number of bytes, since most bodies are short.
      this.#block = new Uint8Array(Math.max(part.length, Math.min(MAX_BLOCK_BYTES, this.#size)));
      this.#from = this.#to = 0;
    }
    this.#block.set(part, this.#to);
    this.#to += part.length;
  }

  /** Returns all bytes in one buffer, and begins anew. */
  take(): Buffer<ArrayBuffer> {
    this.#closeBlock();
    const bytes = Buffer.concat(this.#parts, this.#size);
    this.#parts = [];
    this.#size = 0;
    return bytes;
  }

  /** Keeps the rest of the block for further parts. */
  #closeBlock(): void {
    if (this.#from === this.#to) return;
    this.#parts.push(this.#block.subarray(this.#from, this.#to));
    this.#from = this.#to;
  }
}
