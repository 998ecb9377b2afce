import { accessSync, constants, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system in memory, as Linux has it. */
const IN_MEMORY = "/dev/shm";
const MIN_ROOM = 4 * 1024 ** 3;

/** A new folder for a server's data: in memory, where a database is made in 15 ms instead of 200, unless that is short of room. */
export const makeFolder = (): string => mkdtempSync(join(hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir(), "tessera-postgres-"));

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= MIN_ROOM;
  } catch {
    return false;
  }
}
