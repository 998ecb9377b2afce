import { Inflate } from "fflate";
import { IngestError } from "#domain/content/job.ts";
import { encryptedError, tooLargeError, unreadableError } from "../../errors.ts";
import type { Pieces } from "../../markup/xml.ts";

/** The files of an archive. */
export type Archive = {
  readonly names: readonly string[];
  /**
   * Returns a file, or null if there is no such file. It is unpacked as far as its pieces are read, and is never in memory as a whole.
   * Reading throws `IngestError` if it can't be unpacked within the limits.
   */
  readonly read: (name: string) => Pieces | null;
};

type Entry = {
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
  readonly isEncrypted: boolean;
};

const MAX_ENTRIES = 10_000;
const MAX_BYTES = 200 * 1024 * 1024;
/** Deflate compresses at most 1,032 to 1; real documents stay far below. */
const MAX_RATIO = 400;
/** The ratio does not apply to files that unpack to less than this. */
const MIN_RATIO_BYTES = 8 * 1024 * 1024;
/** Packed bytes that are unpacked together: at most to 16 MiB, and to less than 100 kB in real documents. */
const PACKED_PIECE_BYTES = 16 * 1024;

const END_SIGNATURE = 0x06054b50;
const DIRECTORY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_RECORD_BYTES = 22;
const MAX_COMMENT_LENGTH = 65_535;
const STORED = 0;
const DEFLATED = 8;

const unpackedTooLargeError = (): IngestError => tooLargeError("The file unpacks to more than 200 MiB.");

function findEndRecord(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_RECORD_BYTES - MAX_COMMENT_LENGTH);
  for (let at = view.byteLength - END_RECORD_BYTES; at >= first; at--) if (view.getUint32(at, true) === END_SIGNATURE) return at;
  throw unreadableError();
}

/** Replaces the values that exceed their 32-bit fields by those of the extra field 1 (ZIP64), which has them in the same order. */
function resolveZip64(view: DataView, from: number, to: number, values: readonly number[]): number[] {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let next = at + 4;
    return values.map((value) => {
      if (value !== 0xffffffff || next + 8 > to) return value;
      next += 8;
      return Number(view.getBigUint64(next - 8, true));
    });
  }
  return [...values];
}

function readDirectory(bytes: Uint8Array, view: DataView): Map<string, Entry> {
  const end = findEndRecord(view);
  const count = view.getUint16(end + 10, true);
  if (count > MAX_ENTRIES) throw tooLargeError("The file is a package of more than 10,000 files.");
  const entries = new Map<string, Entry>();
  let at = view.getUint32(end + 16, true);
  let total = 0;
  for (let left = count; left > 0; left--) {
    if (view.getUint32(at, true) !== DIRECTORY_SIGNATURE) throw unreadableError();
    const flags = view.getUint16(at + 8, true);
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    if (extraEnd > bytes.length) throw unreadableError();
    const name = new TextDecoder()
      .decode(bytes.subarray(at + 46, nameEnd))
      .replaceAll("\\", "/")
      .replace(/^\/+/, "");
    const values = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
    const [size = 0, packed = 0, offset = 0] = resolveZip64(view, nameEnd, extraEnd, values);
    total += size;
    if (total > MAX_BYTES) throw unpackedTooLargeError();
    if (!name.endsWith("/") && !entries.has(name))
      entries.set(name, { method: view.getUint16(at + 10, true), packed, size, offset, isEncrypted: (flags & 1) === 1 });
    at = extraEnd + view.getUint16(at + 32, true);
  }
  return entries;
}

const maxUnpackedBytes = (packed: Uint8Array): number => Math.max(MIN_RATIO_BYTES, packed.length * MAX_RATIO);

/** Returns the packed bytes of a file. */
function findPacked(bytes: Uint8Array, view: DataView, entry: Entry): Uint8Array {
  if (entry.isEncrypted) throw encryptedError("file");
  if (view.getUint32(entry.offset, true) !== LOCAL_SIGNATURE) throw unreadableError();
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
  const packed = bytes.subarray(start, start + entry.packed);
  if (packed.length < entry.packed || (entry.method !== STORED && entry.method !== DEFLATED)) throw unreadableError();
  if (entry.size > maxUnpackedBytes(packed)) throw unpackedTooLargeError();
  return packed;
}

/** Unpacks a file piece by piece. `budget` is what may still be unpacked of the archive. */
function* unpack(packed: Uint8Array, method: number, budget: { left: number }): Generator<Uint8Array> {
  if (method === STORED) return yield packed;
  let pieces: Uint8Array[] = [];
  const inflate = new Inflate((piece) => pieces.push(piece));
  // The size in the directory may be wrong, so the output itself is limited.
  let left = maxUnpackedBytes(packed);
  for (let at = 0; at < packed.length; at += PACKED_PIECE_BYTES) {
    const end = at + PACKED_PIECE_BYTES;
    withReadErrors(() => inflate.push(packed.subarray(at, end), end >= packed.length));
    for (const piece of pieces) {
      left -= piece.length;
      budget.left -= piece.length;
      if (left < 0 || budget.left < 0) throw unpackedTooLargeError();
      yield piece;
    }
    pieces = [];
  }
}

/** Runs `work`, and reports its errors as those of a file that can't be read. */
function withReadErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof IngestError ? error : unreadableError(error);
  }
}

/**
 * Opens a ZIP archive (PKWARE APPNOTE 6.3: end record 4.3.16, directory 4.3.12, ZIP64 sizes 4.5.3) of stored and deflated entries, at
 * most 10,000 entries and 200 MiB. The limit of bytes applies to the sizes in the directory and to the unpacked data. Throws
 * `IngestError` `unreadable_file`, `too_large` or `encrypted`.
 */
export function openZip(bytes: Uint8Array): Archive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = withReadErrors(() => readDirectory(bytes, view));
  const budget = { left: MAX_BYTES };
  return {
    names: [...entries.keys()],
    read(name) {
      const entry = entries.get(name);
      if (entry === undefined) return null;
      const packed = withReadErrors(() => findPacked(bytes, view, entry));
      return { [Symbol.iterator]: () => unpack(packed, entry.method, budget) };
    },
  };
}
