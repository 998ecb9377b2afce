import { expect, test } from "vitest";
import { NO_LOG } from "#domain/core/log.ts";
import type { Store } from "#domain/store.ts";
import { startFillingHashes } from "#service/background/fill-hashes.ts";

test("hashes are filled in steps until none is missing, and the number is logged once", async () => {
  const left = [3, 2];
  let calls = 0;
  const messages: unknown[] = [];
  const store = { tiles: { fillHashes: async () => (calls++, left.shift() ?? 0) } } as unknown as Store;
  const log = { ...NO_LOG, info: (fields: object) => void messages.push(fields) };
  const filling = startFillingHashes({ store, log }, { firstMs: 1, pauseMs: 1 });
  try {
    await expect.poll(() => messages, { timeout: 30_000 }).toEqual([{ tiles: 5 }]);
    expect(calls).toBe(3);
  } finally {
    await filling.stop();
  }
});

test("a step that fails is logged, and does not end the process", async () => {
  const errors: unknown[] = [];
  const store = {
    tiles: {
      fillHashes: async () => {
        throw new Error("The database is away.");
      },
    },
  } as unknown as Store;
  const filling = startFillingHashes({ store, log: { ...NO_LOG, error: (fields: object) => void errors.push(fields) } }, { firstMs: 1 });
  await expect.poll(() => errors, { timeout: 30_000 }).toEqual([{ error: "The database is away." }]);
  await filling.stop();
});
