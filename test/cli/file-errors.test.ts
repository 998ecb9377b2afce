import { expect, it } from "vitest";
import { StorageError } from "#domain/core/errors/storage-error.ts";
import { withFileErrors } from "#cli/file-errors.ts";

const FULL = "copy.sqlite can't be written: the disk is full; free some space, or choose another disk.";

it.each([
  ["the file system", Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" })],
  ["the store", new StorageError("full", new Error("database or disk is full"))],
])("a full disk that %s meets is told as one sentence", async (_who, error) => {
  await expect(withFileErrors("written", "copy.sqlite", () => Promise.reject(error))).rejects.toThrow(FULL);
});
