import { expect } from "vitest";
import type { IdempotencyRecord } from "#domain/core/idempotency.ts";
import { newId } from "#domain/core/system.ts";
import type { Tile } from "#domain/content/tile.ts";
import type { TileCreation } from "#domain/content/tile-store.ts";
import { getCreated, getCreatedTile, newZone, seedBusiness, T0, textTile } from "../support/boards.ts";
import { expectRejection, listTileIds, unknownId } from "./store-context.ts";
import { test } from "./store-test.ts";

const render = (created: { readonly id: string }): string => JSON.stringify({ id: created.id });

function createIdempotencyRecord(businessId: string, more: Partial<IdempotencyRecord<TileCreation>> = {}): IdempotencyRecord<TileCreation> {
  return { ...createRecordOf<Tile>(businessId), render: ({ tile }) => render(tile!), ...more };
}

/** Returns the record of the creation of a zone or board. */
const createRecordOf = <T extends { readonly id: string }>(
  businessId: string,
  more: Partial<IdempotencyRecord<T>> = {},
): IdempotencyRecord<T> => ({
  businessId,
  apiKeyId: "key_1",
  path: "/tiles",
  key: "k",
  requestHash: "h",
  expiresAt: T0 + 1_000,
  render,
  ...more,
});

test("a creation with an idempotency key happens once, and later requests get the first response", async ({ store, business, scope }) => {
  const first = getCreatedTile(await store.tiles.create(scope, textTile("Text"), T0, createIdempotencyRecord(business.id)));
  const again = await store.tiles.create(scope, textTile("Text"), T0 + 999, createIdempotencyRecord(business.id));
  expect(again).toEqual({ replayed: true, body: render(first) });
  expect(await listTileIds({ store, scope })).toEqual([first.id]);
});

test("a repeated creation returns the first response also after the resource was changed or deleted", async ({
  store,
  business,
  scope,
}) => {
  const first = getCreatedTile(await store.tiles.create(scope, textTile("Text"), T0, createIdempotencyRecord(business.id)));
  await store.tiles.remove(scope, first.id, T0 + 1);
  expect(await store.tiles.create(scope, textTile("Text"), T0 + 2, createIdempotencyRecord(business.id))).toEqual({
    replayed: true,
    body: render(first),
  });
  expect(await listTileIds({ store, scope })).toEqual([]);
});

test("an idempotency key is rejected for a different request, and nothing is written", async ({ store, business, scope }) => {
  const first = getCreatedTile(await store.tiles.create(scope, textTile("Text"), T0, createIdempotencyRecord(business.id)));
  await expectRejection(
    store.tiles.create(scope, textTile("Other"), T0 + 1, createIdempotencyRecord(business.id, { requestHash: "other" })),
    "conflict",
  );
  expect(await listTileIds({ store, scope })).toEqual([first.id]);
  expect(await store.tiles.create(scope, textTile("Text"), T0 + 2, createIdempotencyRecord(business.id))).toMatchObject({
    replayed: true,
  });
});

test("an idempotency key is independent of the same key of another API key, path or business", async ({ store, business, scope }) => {
  const other = await seedBusiness(store, "Other Lab");
  const uses = [
    createIdempotencyRecord(business.id),
    createIdempotencyRecord(business.id, { apiKeyId: "key_2" }),
    createIdempotencyRecord(business.id, { path: "/inbound" }),
    createIdempotencyRecord(business.id, { key: "K" }),
  ];
  for (const idempotency of uses) getCreatedTile(await store.tiles.create(scope, textTile("Text"), T0, idempotency));
  getCreatedTile(await store.tiles.create(other.scope, textTile("Text"), T0, createIdempotencyRecord(other.business.id)));
  expect(await listTileIds({ store, scope })).toHaveLength(4);
});

test("an idempotency key expires, and can then be used again", async ({ store, business, scope }) => {
  getCreatedTile(await store.tiles.create(scope, textTile("First"), T0, createIdempotencyRecord(business.id)));
  const second = getCreatedTile(
    await store.tiles.create(
      scope,
      textTile("Second"),
      T0 + 1_000,
      createIdempotencyRecord(business.id, { requestHash: "other", expiresAt: T0 + 3_000 }),
    ),
  );
  expect(
    await store.tiles.create(scope, textTile("Second"), T0 + 2_000, createIdempotencyRecord(business.id, { requestHash: "other" })),
  ).toEqual({
    replayed: true,
    body: render(second),
  });
});

test("a rejected creation is not stored for its idempotency key", async ({ store, business, scope }) => {
  await expectRejection(
    store.tiles.create(scope, textTile("Text", { zoneId: unknownId("zon") }), T0, createIdempotencyRecord(business.id)),
    "invalid",
  );
  getCreatedTile(await store.tiles.create(scope, textTile("Text"), T0 + 1, createIdempotencyRecord(business.id, { requestHash: "other" })));
});

test("a creation whose response cannot be rendered is neither stored nor done", async ({ store, business, scope }) => {
  const failing = createIdempotencyRecord(business.id, {
    render: () => {
      throw new Error("No answer.");
    },
  });
  await expect(store.tiles.create(scope, textTile("Text"), T0, failing)).rejects.toThrow("No answer.");
  expect(await listTileIds({ store, scope })).toEqual([]);
  getCreatedTile(await store.tiles.create(scope, textTile("Text"), T0 + 1, createIdempotencyRecord(business.id)));
});

test("a response is not stored if nothing was created", async ({ store, business, scope }) => {
  const idempotency: IdempotencyRecord<readonly (TileCreation | Error)[]> = {
    ...createIdempotencyRecord(business.id),
    render: (results) => (results.some((one) => !(one instanceof Error)) ? "made" : null),
  };
  const refused = [{ scope, tile: textTile("Text", { zoneId: unknownId("zon") }) }];
  expect(getCreated(await store.tiles.createMany(refused, T0, idempotency))).toHaveLength(1);
  const given = [{ scope, tile: textTile("Text") }];
  expect(getCreated(await store.tiles.createMany(given, T0 + 1, { ...idempotency, requestHash: "other" }))).toHaveLength(1);
  expect(await store.tiles.createMany(given, T0 + 2, { ...idempotency, requestHash: "other" })).toEqual({
    replayed: true,
    body: "made",
  });
  expect(await listTileIds({ store, scope })).toHaveLength(1);
});

test("concurrent requests with one idempotency key create one tile", async ({ store, business, scope }) => {
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => store.tiles.create(scope, textTile("Text"), T0, createIdempotencyRecord(business.id))),
  );
  const [first] = outcomes.filter(({ replayed }) => !replayed);
  const body = render(getCreatedTile(first!));
  expect(outcomes.filter(({ replayed }) => !replayed)).toHaveLength(1);
  for (const outcome of outcomes) if (outcome.replayed) expect(outcome.body).toBe(body);
  expect(await listTileIds({ store, scope })).toHaveLength(1);
});

test("idempotency keys work for zones and boards as for tiles", async ({ store, business, scope, manage }) => {
  const zone = getCreated(await store.zones.create(scope, newZone("Zone"), T0, createRecordOf(business.id, { path: "/zones" })));
  expect(await store.zones.create(scope, newZone("Zone"), T0, createRecordOf(business.id, { path: "/zones" }))).toEqual({
    replayed: true,
    body: render(zone),
  });
  const draft = () => ({ id: newId("brd", T0), name: "Board", slug: "board" });
  const board = getCreated(await store.boards.create(manage, draft(), T0, createRecordOf(business.id, { path: "/boards" })));
  expect(await store.boards.create(manage, draft(), T0, createRecordOf(business.id, { path: "/boards" }))).toEqual({
    replayed: true,
    body: render(board),
  });
  expect(await store.zones.list(scope, null, null)).toHaveLength(1);
  expect(await store.boards.list(business.id)).toHaveLength(2);
});
