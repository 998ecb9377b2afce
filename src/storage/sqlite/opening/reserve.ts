import { open, type FileHandle } from "node:fs/promises";
import { rmSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";

/** Bytes that are kept free for a start on a full disk, where SQLite needs room for the index of its log (32 KiB). */
const RESERVED_BYTES = 1_048_576;
/** Bytes beyond that which must fit for the disk to count as writable. */
const SPARE_BYTES = 1_048_576;

/** A file that occupies some of the disk, so that there is room when the disk is full. */
export type Reserve = {
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
  // Some file systems store zeros without using space.
  const content = randomBytes(RESERVED_BYTES + SPARE_BYTES);
  return {
    async fill() {
      const handle = await open(path, "a+", 0o600);
      try {
        await writeRest(handle, content);
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
