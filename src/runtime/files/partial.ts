import { closeSync, openSync, rmSync } from "node:fs";

/**
 * Creates an empty file beside `file`, under whose name `file` is written until it is complete, and returns that name. Only its owner can
 * read it. Replaces what an earlier process left there, which may be readable by others, or a link to another file. Throws the error of
 * the file system.
 */
export function createPartial(file: string): string {
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  closeSync(openSync(partial, "wx", 0o600));
  return partial;
}
