import type { Authorized, RequiredAccess } from "#domain/core/access.ts";
import type { NewApiKey } from "#domain/settings/api-key.ts";
import type { Board, Business } from "#domain/core/board.ts";
import type { Store } from "#domain/store.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import type { Webhook } from "#domain/settings/webhook.ts";
import type { NewZone } from "#domain/content/zone.ts";

/**
 * Checked by the compiler only: a forgotten scope check does not compile. Each line below an expectation must be an error,
 * and each line without one must not be.
 */
type Given = {
  readonly store: Store;
  readonly board: Board;
  readonly reader: Authorized<Board, "read">;
  readonly asker: Authorized<Board, "ask" | "read">;
  readonly feeder: Authorized<Board, "inbound">;
  readonly writer: Authorized<Board, "read" | "ask" | "write" | "inbound">;
  readonly manager: Authorized<Board, RequiredAccess>;
  readonly tile: NewTile;
  readonly zone: NewZone;
};

export async function requireAuthorizationForWrites({
  store,
  board,
  reader,
  asker,
  feeder,
  writer,
  manager,
  tile,
  zone,
}: Given): Promise<void> {
  const { boards, tiles, zones } = store;

  await tiles.create(feeder, tile, 0);
  await tiles.create(writer, tile, 0);
  // @ts-expect-error -- a plain board is not authorized
  await tiles.create(board, tile, 0);
  // @ts-expect-error -- an object with the same fields is not authorized
  await tiles.create({ actor: { kind: "operator", businessId: board.businessId }, target: board }, tile, 0);
  // @ts-expect-error -- reading does not include creating
  await tiles.create(reader, tile, 0);
  // @ts-expect-error -- asking does not include creating
  await tiles.create(asker, tile, 0);
  const mixed = [
    { scope: writer, tile },
    { scope: reader, tile },
  ];
  // @ts-expect-error -- every item of a batch needs write permission
  await tiles.createMany(mixed, 0);

  await tiles.update(writer, "til", {}, 0);
  await tiles.update(manager, "til", {}, 0);
  // @ts-expect-error -- inbound only creates
  await tiles.update(feeder, "til", {}, 0);
  // @ts-expect-error -- a plain board is not authorized
  await tiles.update(board, "til", {}, 0);
  // @ts-expect-error -- reading does not include changing
  await tiles.update(reader, "til", {}, 0);
  // @ts-expect-error -- inbound only creates
  await tiles.remove(feeder, "til", 0);
  // @ts-expect-error -- asking does not include deleting
  await tiles.remove(asker, "til", 0);
  // @ts-expect-error -- inbound only creates tiles, and no zones
  await zones.create(feeder, zone, 0);
  // @ts-expect-error -- reading does not include changing
  await zones.update(reader, "zon", {}, 0);
  // @ts-expect-error -- a plain board is not authorized
  await zones.remove(board, "zon", 0);

  await zones.list(writer, null, null);
  // @ts-expect-error -- inbound does not include reading
  await zones.list(feeder, null, null);

  await boards.remove(manager, 0);
  // @ts-expect-error -- deleting a board needs authorization on the business
  await boards.remove(writer, 0);
  // @ts-expect-error -- authorization on a board does not include the business, though their shapes are similar
  await boards.create(manager, { id: "brd", name: "B", slug: "b" }, 0);
}

type Settings = {
  readonly store: Store;
  readonly business: Business;
  readonly board: Authorized<Board, "own">;
  readonly manager: Authorized<Business, "manage">;
  readonly admin: Authorized<Business, Exclude<RequiredAccess, "own" | "subscribe">>;
  readonly owner: Authorized<Business, RequiredAccess>;
  readonly key: Omit<NewApiKey, "createdBy">;
  readonly webhook: Webhook;
};

export async function requireAuthorizationForSettings({
  store,
  business,
  board,
  manager,
  admin,
  owner,
  key,
  webhook,
}: Settings): Promise<void> {
  const { apiKeys, webhooks } = store;
  const { id } = business;

  await apiKeys.create({ ...key, createdBy: admin });
  await apiKeys.create({ ...key, createdBy: owner });
  await apiKeys.create({ ...key, createdBy: "operator" });
  // @ts-expect-error -- an id is not authorized
  await apiKeys.create({ ...key, createdBy: "mem_1" });
  // @ts-expect-error -- a plain business is not authorized
  await apiKeys.create({ ...key, createdBy: business });
  // @ts-expect-error -- managing boards does not include creating keys
  await apiKeys.create({ ...key, createdBy: manager });
  // @ts-expect-error -- managing boards does not include changing keys
  await apiKeys.update(id, "key", {}, manager, 0);
  // @ts-expect-error -- managing boards does not include revoking keys
  await apiKeys.revoke(id, "key", manager, 0);
  // @ts-expect-error -- authorization on a board does not include the business
  await apiKeys.revoke(id, "key", board, 0);

  await webhooks.put(webhook, owner);
  // @ts-expect-error -- admins cannot set a webhook
  await webhooks.put(webhook, admin);
  // @ts-expect-error -- admins cannot change a webhook
  await webhooks.update(id, {}, admin, 0);
  // @ts-expect-error -- admins cannot remove a webhook
  await webhooks.clear(id, admin, 0);
  // @ts-expect-error -- admins cannot redeliver events
  await webhooks.record({ id: "dlv", businessId: id, webhookId: "whk", event: "test", url: "", payload: "", createdAt: 0 }, admin);
}
