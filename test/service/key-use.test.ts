import { expect, test } from "vitest";
import { NO_LOG } from "#domain/core/log.ts";
import type { Actor } from "#domain/core/access.ts";
import type { Store } from "#domain/store.ts";
import { trackUse } from "#service/background/housekeeping.ts";

const keyOf = (keyId: string): Actor =>
  ({ kind: "key", businessId: "biz_1", keyId, boardId: null, permission: "read" }) as unknown as Actor;

test("the last use of a key is stored later if a write fails", async () => {
  const stored: ReadonlyMap<string, number>[] = [];
  let isFull = true;
  const touch = async (uses: ReadonlyMap<string, number>): Promise<void> => {
    if (isFull) throw new Error("The disk is full.");
    stored.push(uses);
  };
  const errors: object[] = [];
  const log = { ...NO_LOG, error: (fields: object) => void errors.push(fields) };
  const first = trackUse({ store: { apiKeys: { touch }, inboundAddresses: { touch } } as unknown as Store, log }, 5);
  first.record(keyOf("key_1"));
  await expect.poll(() => errors.length).toBeGreaterThan(0);
  first.record(keyOf("key_2"));
  isFull = false;
  await expect.poll(() => stored.length).toBeGreaterThan(0);
  await first.stop();
  expect(new Set(stored.flatMap((uses) => [...uses.keys()]))).toEqual(new Set(["biz_1 key_1", "biz_1 key_2"]));
});
