import { accessSync, constants, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The file system in memory on Linux. */
const IN_MEMORY = "/dev/shm";
const MIN_ROOM = 4 * 1024 ** 3;

/** Creates a folder for the data of a server: in memory if there is space, where creating a database takes 15 ms instead of 200. */
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
