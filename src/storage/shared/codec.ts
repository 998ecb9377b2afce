/** Chunks in one block of postings. A chunk is stored in slot `document % BLOCK_SIZE` of its block. */
export const BLOCK_SIZE = 2_048;

/** Returns the number of the block that a document is stored in. */
export const toBlock = (document: number): number => Math.floor(document / BLOCK_SIZE);

const ENTRY_BYTES = 6;
const MAX_UINT16 = 65_535;

export type Entry = { readonly slot: number; readonly frequency: number; readonly length: number };

/** Encodes each entry as three little-endian 16-bit numbers: slot, frequency, and length of the chunk in terms. */
export function packEntries(entries: readonly Entry[]): Buffer {
  const bytes = Buffer.allocUnsafe(entries.length * ENTRY_BYTES);
  let at = 0;
  for (const { slot, frequency, length } of entries) {
    bytes.writeUInt16LE(slot, at);
    bytes.writeUInt16LE(Math.min(MAX_UINT16, frequency), at + 2);
    bytes.writeUInt16LE(Math.min(MAX_UINT16, length), at + 4);
    at += ENTRY_BYTES;
  }
  return bytes;
}

/** Calls `visit` for each encoded entry, in order. */
export function visitEntries(bytes: Buffer, visit: (slot: number, frequency: number, length: number) => void): void {
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    visit(bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2), bytes.readUInt16LE(at + 4));
  }
}

/** Creates the bitmap of deleted chunks of a block, with one bit per slot. None is set. */
export const createDeadBitmap = (): Buffer => Buffer.alloc(BLOCK_SIZE / 8);
export const isDead = (dead: Buffer, slot: number): boolean => (((dead[slot >> 3] as number) >> (slot & 7)) & 1) === 1;
/** Marks a chunk as deleted, or as live. Returns false if it already was. */
export function setDead(dead: Buffer, slot: number, value: boolean): boolean {
  if (isDead(dead, slot) === value) return false;
  dead[slot >> 3] = (dead[slot >> 3] as number) ^ (1 << (slot & 7));
  return true;
}
