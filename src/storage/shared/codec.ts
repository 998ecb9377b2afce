/** Chunks in one block of postings; a slot is a chunk's place in its block. */
export const BLOCK_SIZE = 2_048;

const ENTRY_BYTES = 6;
const MOST = 65_535;

export type Entry = { readonly slot: number; readonly frequency: number; readonly length: number };

/** Three little-endian 16-bit numbers an entry: slot, frequency, length of the chunk in terms. */
export function packEntries(entries: readonly Entry[]): Buffer {
  const bytes = Buffer.allocUnsafe(entries.length * ENTRY_BYTES);
  let at = 0;
  for (const { slot, frequency, length } of entries) {
    bytes.writeUInt16LE(slot, at);
    bytes.writeUInt16LE(Math.min(MOST, frequency), at + 2);
    bytes.writeUInt16LE(Math.min(MOST, length), at + 4);
    at += ENTRY_BYTES;
  }
  return bytes;
}

/** Calls `visit` for each entry, in the order they were packed. */
export function visitEntries(bytes: Buffer, visit: (slot: number, frequency: number, length: number) => void): void {
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    visit(bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2), bytes.readUInt16LE(at + 4));
  }
}

/** One bit a slot: set where the chunk is gone. */
export const noneDead = (): Buffer => Buffer.alloc(BLOCK_SIZE / 8);
export const isDead = (dead: Buffer, slot: number): boolean => (((dead[slot >> 3] as number) >> (slot & 7)) & 1) === 1;
export function markDead(dead: Buffer, slot: number): void {
  dead[slot >> 3] = (dead[slot >> 3] as number) | (1 << (slot & 7));
}
