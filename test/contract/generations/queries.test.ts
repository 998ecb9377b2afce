import { expect } from "vitest";
import { EMPTY_ANALYSIS } from "#domain/answers/analysis.ts";
import { addBoard, getCreated, seedBusiness, T0 } from "../../support/boards.ts";
import { addText, expectRejection } from "../store-context.ts";
import {
  DAY,
  DOWN,
  createDraft,
  startGeneration,
  draftResult,
  createIdeas,
  listIds,
  authorizeAsKey,
  createIdempotencyRecord,
  getReplayedBody,
} from "./draft-generations.ts";
import { test } from "../store-test.ts";

test("ideas are found on their own board once their generation is complete", async (context) => {
  const { store, board, manage } = context;
  const second = await addBoard(store, manage);
  const { held } = await startGeneration(context, { endpoint: "/api/v1/idea", assetType: null });
  const result = createIdeas("ide_1", "ide_2");
  expect(await store.generations.findIdea(board, "ide_2")).toBeNull();
  const done = await store.generations.complete(held, result, null, T0 + 1);
  expect(done).toMatchObject({ title: null, result });
  expect(await store.generations.findIdea(board, "ide_2")).toEqual(result.ideas![1]);
  expect(await store.generations.findIdea(board, "ide_3")).toBeNull();
  expect(await store.generations.findIdea(second.board, "ide_2")).toBeNull();
});

test("the list of generations is newest first, in pages, filtered by board or endpoint, without deleted boards", async (context) => {
  const { store, manage, scope, board } = context;
  const second = await addBoard(store, manage);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    const endpoint = i % 2 === 0 ? "/api/v1/generate" : "/api/v1/idea";
    const on = i < 4 ? scope : second.scope;
    ids.unshift((await startGeneration({ store, scope: on }, { endpoint, assetType: i % 2 === 0 ? "post" : null }, T0 + i)).generation.id);
  }
  const other = await seedBusiness(store, "Other Lab");
  await startGeneration({ store, scope: other.scope });
  expect(await listIds(context)).toEqual(ids);
  expect(await listIds(context, {}, null, 2)).toEqual(ids.slice(0, 2));
  expect(await listIds(context, {}, ids[1]!, 2)).toEqual(ids.slice(2, 4));
  expect(await listIds(context, { boardId: board.id })).toEqual(ids.slice(1));
  expect(await listIds(context, { endpoint: "/api/v1/idea" })).toEqual([ids[1], ids[3]]);
  expect(await listIds(context, { boardId: second.board.id, endpoint: "/api/v1/idea" })).toEqual([]);
  const [first] = await store.generations.list(manage, {}, null, 1);
  expect(first).toEqual({ ...first, boardId: second.board.id, assetType: "post", status: "processing", createdAt: T0 + 4 });
  expect(first).not.toHaveProperty("result");
  await store.boards.remove(second.scope, T0 + 9);
  expect(await listIds(context)).toEqual(ids.slice(1));
});

test("the list of generations excludes those of a board that was deleted long ago", async (context) => {
  const { store, manage, business } = context;
  const second = await addBoard(store, manage);
  await addText({ store, scope: second.scope }, "Gone as well");
  const { held } = await startGeneration({ store, scope: second.scope }, { endpoint: "/api/v1/idea", assetType: null });
  await store.generations.complete(held, createIdeas("ide_gone"), null, T0 + 1);
  await store.search.index((await store.search.pending(9, 9_999)).map((tile) => ({ tile, analysis: EMPTY_ANALYSIS })));
  await store.boards.remove(second.scope, T0 + 2);
  await store.purge(T0 + 1, T0 + 1);
  const restored = await store.boards.restore(second.scope, T0 + 3);
  expect(await store.generations.find(business.id, held.id)).not.toBeNull();
  expect(await store.generations.findIdea(restored, "ide_gone")).not.toBeNull();
  await store.boards.remove(second.scope, T0 + 4);
  await store.purge(T0 + 5, T0 + 5);
  await store.boards.restore(second.scope, T0 + 6);
  expect(await store.generations.find(business.id, held.id)).toBeNull();
  expect(await store.generations.findIdea(restored, "ide_gone")).toBeNull();
});

test("a generation with an idempotency key is created once; after it failed or was cancelled the key can be used again", async ({
  store,
  board,
  business,
}) => {
  const scope = authorizeAsKey(board);
  const idempotency = createIdempotencyRecord(business.id);
  const create = () => store.generations.create(scope, createDraft(), T0, idempotency);
  expect(await store.generations.findStoredResponse(idempotency, T0)).toBeNull();
  const outcomes = await Promise.all([create(), create(), create()]);
  const first = outcomes.find(({ replayed }) => !replayed);
  const { id } = getCreated(first!);
  expect(outcomes.map(getReplayedBody).filter((body) => body !== null)).toEqual([id, id]);
  expect(await store.generations.findStoredResponse(idempotency, T0)).toBe(id);
  expect(await store.generations.findStoredResponse({ ...idempotency, requestHash: "other" }, T0)).toBeNull();
  expect(await store.generations.findStoredResponse({ ...idempotency, apiKeyId: "key_2" }, T0)).toBeNull();
  expect(await store.generations.findStoredResponse(idempotency, T0 + 2 * DAY)).toBeNull();
  await expectRejection(store.generations.create(scope, createDraft(), T0, { ...idempotency, requestHash: "other" }), "conflict");

  await store.generations.cancel(scope, id, T0 + 1);
  expect(await store.generations.findStoredResponse(idempotency, T0)).toBeNull();
  const draft = createDraft();
  const second = getCreated(await store.generations.create(scope, draft, T0, idempotency));
  expect(second.id).not.toBe(id);
  await store.generations.fail({ businessId: business.id, boardId: board.id, id: second.id, lease: draft.lease }, DOWN, T0 + 2);
  const third = createDraft();
  getCreated(await store.generations.create(scope, third, T0, idempotency));
  await store.generations.complete(
    { businessId: business.id, boardId: board.id, id: third.id, lease: third.lease },
    draftResult,
    null,
    T0 + 3,
  );
  expect(getReplayedBody(await create())).toBe(third.id);
});
