import { inflateRawSync } from "node:zlib";
import { IngestError } from "#domain/content/job.ts";
import { encryptedError, tooLargeError, unreadableError } from "../errors.ts";

/** The files of an archive by their names; each is unpacked when it is asked for, and nothing is ever written to a disk. */
export type Archive = {
  readonly names: readonly string[];
  /** The bytes of a file; null where there is none of that name. Throws `IngestError` where it can't be unpacked within bounds. */
  readonly read: (name: string) => Uint8Array | null;
};

type Entry = {
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
  readonly isLocked: boolean;
};

const MAX_ENTRIES = 10_000;
const MAX_BYTES = 200 * 1024 * 1024;
/** Deflate packs at most 1,032 to 1; documents that are worth reading stay far below. */
const MAX_RATIO = 400;
/** What is small in any case is not held to the ratio. */
const CALM_BYTES = 8 * 1024 * 1024;

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT_LENGTH = 65_535;
const STORED = 0;
const DEFLATED = 8;

const bomb = (): IngestError => tooLargeError("The file unpacks to more than 200 MiB.");

function endOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_BYTES - MAX_COMMENT_LENGTH);
  for (let at = view.byteLength - END_BYTES; at >= first; at--) if (view.getUint32(at, true) === END) return at;
  throw unreadableError();
}

/** Sizes and place of an entry that are too big for their fields stand in the extra field 1 (ZIP64), in this order. */
function wide(view: DataView, from: number, to: number, narrow: readonly number[]): number[] {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let place = at + 4;
    return narrow.map((value) => {
      if (value !== 0xffffffff || place + 8 > to) return value;
      place += 8;
      return Number(view.getBigUint64(place - 8, true));
    });
  }
  return [...narrow];
}

function directoryOf(bytes: Uint8Array, view: DataView): Map<string, Entry> {
  const end = endOf(view);
  const count = view.getUint16(end + 10, true);
  if (count > MAX_ENTRIES) throw tooLargeError("The file is a package of more than 10,000 files.");
  const entries = new Map<string, Entry>();
  let at = view.getUint32(end + 16, true);
  let total = 0;
  for (let left = count; left > 0; left--) {
    if (view.getUint32(at, true) !== DIRECTORY) throw unreadableError();
    const flags = view.getUint16(at + 8, true);
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    if (extraEnd > bytes.length) throw unreadableError();
    const name = new TextDecoder()
      .decode(bytes.subarray(at + 46, nameEnd))
      .replaceAll("\\", "/")
      .replace(/^\/+/, "");
    const narrow = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)];
    const [size = 0, packed = 0, offset = 0] = wide(view, nameEnd, extraEnd, narrow);
    total += size;
    if (total > MAX_BYTES) throw bomb();
    if (!name.endsWith("/") && !entries.has(name))
      entries.set(name, { method: view.getUint16(at + 10, true), packed, size, offset, isLocked: (flags & 1) === 1 });
    at = extraEnd + view.getUint16(at + 32, true);
  }
  return entries;
}

function unpack(bytes: Uint8Array, view: DataView, entry: Entry, room: number): Uint8Array {
  if (entry.isLocked) throw encryptedError("file");
  if (view.getUint32(entry.offset, true) !== LOCAL) throw unreadableError();
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
  const packed = bytes.subarray(start, start + entry.packed);
  if (packed.length < entry.packed || (entry.method !== STORED && entry.method !== DEFLATED)) throw unreadableError();
  if (entry.method === STORED) return packed;
  // The size that the directory tells may be a lie, so what really comes out is bounded.
  const most = Math.max(1, Math.min(room, Math.max(CALM_BYTES, packed.length * MAX_RATIO)));
  try {
    return inflateRawSync(packed, { maxOutputLength: most });
  } catch (error) {
    throw error instanceof RangeError ? bomb() : unreadableError(error);
  }
}

/**
 * Opens a ZIP archive (PKWARE APPNOTE 6.3: end record 4.3.16, directory 4.3.12, ZIP64 sizes 4.5.3; stored and deflated entries), within
 * 10,000 entries and 200 MiB, both of what the directory tells and of what is really unpacked. Throws `IngestError`
 * `unreadable_file`, `too_large` or `encrypted`.
 */
export function openZip(bytes: Uint8Array): Archive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw error instanceof IngestError ? error : unreadableError(error);
    }
  };
  const entries = guarded(() => directoryOf(bytes, view));
  const budget = { left: MAX_BYTES };
  return {
    names: [...entries.keys()],
    read(name) {
      const entry = entries.get(name);
      if (entry === undefined) return null;
      const body = guarded(() => unpack(bytes, view, entry, budget.left));
      budget.left -= body.length;
      if (budget.left < 0) throw bomb();
      return body;
    },
  };
}
