import { open, stat, statfs, type FileHandle } from "node:fs/promises";
import { rmSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { getErrorCode } from "#domain/core/errors/error.ts";

/** Bytes that are kept free for a start on a full disk, where SQLite needs room for the index of its log (32 KiB). */
const RESERVED_BYTES = 1_048_576;
/** Bytes beyond that which must fit for the disk to count as writable. */
const SPARE_BYTES = 1_048_576;

/** A file that occupies some of the disk, so that there is room when the disk is full. */
export type Reserve = {
  /** Whether the file is missing or incomplete, or so little is free that `fill` has to try whether the disk is full. Writes nothing. */
  needsFill(): Promise<boolean>;
  /**
   * Completes the file, and tries whether the disk takes more. Throws the error of the system if it does not; the file then keeps what
   * could be written.
   */
  fill(): Promise<void>;
  /** Removes the file. */
  release(): void;
};

/** Opens the reserve beside the database `file`. Nothing is written before the first `fill`. */
export function openReserve(file: string): Reserve {
  const path = join(dirname(file), "reserve.bin");
  return {
    async needsFill() {
      const { bavail, bsize } = await statfs(dirname(file));
      if (bavail * bsize < SPARE_BYTES) return true;
      try {
        return (await stat(path)).size < RESERVED_BYTES;
      } catch (error) {
        if (getErrorCode(error) === "ENOENT") return true;
        throw error;
      }
    },
    async fill() {
      const handle = await open(path, "a+", 0o600);
      try {
        // Some file systems store zeros without using space.
        await writeRest(handle, randomBytes(RESERVED_BYTES + SPARE_BYTES));
      } finally {
        await handle.close();
      }
    },
    release: () => rmSync(path, { force: true }),
  };
}

/** Writes what is missing of the content behind what is there, then removes all but the reserve. */
async function writeRest(handle: FileHandle, content: Uint8Array): Promise<void> {
  try {
    for (let at = (await handle.stat()).size; at < content.length;) {
      const { bytesWritten } = await handle.write(content, at, content.length - at);
      at += bytesWritten;
    }
  } finally {
    if ((await handle.stat()).size > RESERVED_BYTES) await handle.truncate(RESERVED_BYTES);
  }
}
