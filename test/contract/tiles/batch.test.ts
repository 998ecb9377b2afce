import { expect } from "vitest";
import { AppError, invalidField } from "#domain/core/errors/error.ts";
import type { IdempotencyRecord } from "#domain/core/idempotency.ts";
import { StorageError } from "#domain/core/errors/storage-error.ts";
import type { Store } from "#domain/store.ts";
import type { Deps } from "#service/deps.ts";
import type { BatchResult } from "#service/content/inbound.ts";
import { createInboundBatch } from "#service/content/inbound-batch.ts";
import { createWorkQueue } from "#service/work-queue.ts";
import { T0 } from "../../support/boards.ts";
import { listTileIds, type StoreContext } from "../store-context.ts";
import { test } from "../store-test.ts";

type Step = { readonly items: number; readonly characters: number };

/** The store with what each call of `createMany` wrote. The call number `failAt` fails, once. */
function watchSteps(store: Store, failAt = Infinity) {
  const steps: Step[] = [];
  let calls = 0;
  const tiles = Object.create(store.tiles) as Store["tiles"];
  tiles.createMany = (items, now, record) => {
    if (calls++ === failAt) return Promise.reject(new StorageError("full", undefined));
    if (items.length > 0) steps.push({ items: items.length, characters: items.reduce((sum, { tile }) => sum + tile.rawContent.length, 0) });
    return store.tiles.createMany(items, now, record);
  };
  const watched: Store = Object.create(store, { tiles: { value: tiles } });
  return { steps, deps: { store: watched, clock: { now: () => T0 }, workQueue: createWorkQueue() } as Deps };
}

const actorOf = ({ business }: StoreContext) => ({ kind: "operator", businessId: business.id }) as const;
const createItems = ({ board }: StoreContext, count: number, characters: number) =>
  Array.from({ length: count }, (_, n) => ({ boardId: board.id, content: `${n} `.padEnd(characters, "word ") }));

const createRecord = ({ business }: StoreContext, requestHash = "hash"): IdempotencyRecord<readonly BatchResult[]> => ({
  businessId: business.id,
  apiKeyId: "key_1",
  path: "/api/inbound/tiles/batch",
  key: "once",
  requestHash,
  expiresAt: T0 + 1_000,
  render: (results) => JSON.stringify(listIds(results)),
});
const listIds = (results: readonly BatchResult[]) => results.map((result) => (result instanceof AppError ? result.code : result.tile?.id));

test("a batch of tiles of few short texts is one transaction, and of many or long ones several", async (context) => {
  const { steps, deps } = watchSteps(context.store);
  await createInboundBatch(deps, actorOf(context), createItems(context, 100, 1_000));
  expect(steps.splice(0)).toEqual([{ items: 100, characters: 100_000 }]);
  await createInboundBatch(deps, actorOf(context), createItems(context, 250, 0));
  expect(steps.splice(0).map(({ items }) => items)).toEqual([100, 100, 50]);
  await createInboundBatch(deps, actorOf(context), createItems(context, 250, 12_000));
  expect(steps.map(({ items }) => items)).toEqual([83, 83, 83, 1]);
  expect(Math.max(...steps.map(({ characters }) => characters))).toBeLessThanOrEqual(1_000_000);
  expect(await listTileIds(context)).toHaveLength(600);
});

test("a batch of tiles keeps the order of its items, of which one is longer than a transaction and one is refused", async (context) => {
  const refused = invalidField("content", "is blank.");
  const items = [...createItems(context, 2, 600_000), ...createItems(context, 1, 3_000_000), refused, ...createItems(context, 1, 10)];
  const outcome = await createInboundBatch(watchSteps(context.store).deps, actorOf(context), items);
  const ids = outcome.replayed ? [] : listIds(outcome.value);
  expect(ids[3]).toBe("field_invalid");
  expect(ids.toSpliced(3, 1)).toEqual(await listTileIds(context));
});

test("a batch of tiles is continued by the same call when the storage failed after some of it", async (context) => {
  const items = [...createItems(context, 4, 600_000), invalidField("content", "is blank.")];
  // The first call finds no response yet.
  const broken = watchSteps(context.store, 3);
  const outcome = await createInboundBatch(broken.deps, actorOf(context), items, createRecord(context));
  const first = outcome.replayed ? [] : listIds(outcome.value);
  expect(first).toEqual([expect.any(String), expect.any(String), "storage_full", "storage_full", "field_invalid"]);
  expect(await listTileIds(context)).toEqual(first.slice(0, 2));

  const { deps } = watchSteps(context.store);
  const repeated = await createInboundBatch(deps, actorOf(context), items, createRecord(context));
  const ids = repeated.replayed ? [] : listIds(repeated.value);
  expect(ids.slice(0, 2)).toEqual(first.slice(0, 2));
  expect(await listTileIds(context)).toEqual(ids.slice(0, 4));
  const replayed = await createInboundBatch(deps, actorOf(context), items, createRecord(context));
  expect(replayed).toEqual({ replayed: true, body: JSON.stringify(ids) });
  expect(await listTileIds(context)).toHaveLength(4);
});

test("a batch of tiles is refused before anything is created if its key was used with another request", async (context) => {
  const { deps } = watchSteps(context.store);
  await createInboundBatch(deps, actorOf(context), createItems(context, 1, 10), createRecord(context));
  const other = createInboundBatch(deps, actorOf(context), createItems(context, 2, 600_000), createRecord(context, "other"));
  await expect(other).rejects.toMatchObject({ code: "idempotency_key_reused" });
  expect(await listTileIds(context)).toHaveLength(1);
});

test("a batch of tiles fails as a whole if the storage fails at once", async (context) => {
  const { deps } = watchSteps(context.store, 0);
  await expect(createInboundBatch(deps, actorOf(context), createItems(context, 2, 600_000))).rejects.toBeInstanceOf(StorageError);
});
