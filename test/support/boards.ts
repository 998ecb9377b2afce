import { type Authorized, type RequiredAccess, type Permission, checkBoardAccess, checkBusinessAccess } from "#domain/core/access.ts";
import type { Board, Business } from "#domain/core/board.ts";
import { toSlug } from "#domain/core/slug.ts";
import type { Ingested, NewJob } from "#domain/content/job.ts";
import type { Store } from "#domain/store.ts";
import { newId } from "#domain/core/system.ts";
import type { IdempotentOutcome } from "#domain/core/idempotency.ts";
import type { Tile } from "#domain/content/tile.ts";
import type { NewTile, TileCreation } from "#domain/content/tile-store.ts";
import { DEFAULT_EVENTS, type Webhook } from "#domain/settings/webhook.ts";
import { FEED_EVENTS } from "#domain/events/event.ts";
import type { Subscription } from "#domain/events/subscription.ts";
import type { NewZone } from "#domain/content/zone.ts";

export const T0 = Date.UTC(2026, 0, 1);

/** Creates a business with its default board, and authorizations for both, for tests of a store. */
export async function seedBusiness(
  store: Store,
  name = "Harbour Lab",
): Promise<{
  readonly business: Business;
  readonly board: Board;
  readonly scope: Authorized<Board, Permission | "manage">;
  readonly manage: Authorized<Business, RequiredAccess>;
}> {
  const business = await store.boards.createBusiness(
    { id: newId("biz", T0), name, createdAt: T0 },
    { id: newId("brd", T0), name: "Main board", slug: "main-board" },
  );
  const [board] = await store.boards.list(business.id);
  if (board === undefined) throw new Error("The business has no default board.");
  const actor = { kind: "operator", businessId: business.id } as const;
  return {
    business,
    board,
    scope: checkBoardAccess(actor, board.id, board, "manage"),
    manage: checkBusinessAccess(actor, business, "own"),
  };
}

export const textTile = (content: string, more: Partial<NewTile> = {}): NewTile => ({
  id: newId("til", T0),
  zoneId: null,
  type: "TEXT",
  title: "Untitled note",
  titleOverridden: false,
  rawContent: content,
  extractedText: content,
  sourceUrl: null,
  metadata: {},
  externalId: null,
  job: null,
  ...more,
});

export const linkTile = (url: string, more: Partial<NewTile> = {}): NewTile =>
  textTile("", {
    type: "WEBSITE",
    title: url,
    rawContent: url,
    sourceUrl: url,
    job: { id: newId("job", T0), host: new URL(url).host, maxAttempts: 3 },
    ...more,
  });

export const newZone = (name: string, more: Partial<NewZone> = {}): NewZone => ({
  id: newId("zon", T0),
  name,
  connectedToChat: true,
  color: null,
  emoji: null,
  size: "md",
  ...more,
});

/** Returns the value that a request without an idempotency key created. */
export function getCreated<T>(outcome: { replayed: false; value: T } | { replayed: true; body: string }): T {
  if (outcome.replayed) throw new Error("The response was replayed; nothing was created.");
  return outcome.value;
}

/** Returns the tile that a request created or updated. */
export function getCreatedTile(outcome: IdempotentOutcome<TileCreation>): Tile {
  const { tile } = getCreated(outcome);
  if (tile === null) throw new Error("The tile was deleted before, so nothing was created.");
  return tile;
}

/** Authorizes the operator on a board, also on a deleted one. */
export const authorizeOn = (board: Board): Authorized<Board, Permission | "manage"> =>
  checkBoardAccess({ kind: "operator", businessId: board.businessId }, board.id, board, "manage");

/** Creates another board of the business, and an authorization for it. */
export async function addBoard(
  store: Store,
  manage: Authorized<Business, RequiredAccess>,
  name = "Second board",
  now = T0,
): Promise<{ readonly board: Board; readonly scope: Authorized<Board, Permission | "manage"> }> {
  const board = getCreated(await store.boards.create(manage, { id: newId("brd", now), name, slug: toSlug(name) }, now));
  return { board, scope: authorizeOn(board) };
}

export const newJob = (host = "example.com", more: Partial<NewJob> = {}): NewJob => ({
  id: newId("job", T0),
  host,
  maxAttempts: 3,
  ...more,
});

/** Creates the result of an extractor. */
export const ingested = (text: string, more: Partial<Ingested> = {}): Ingested => ({
  type: "WEBSITE",
  title: "A page",
  text,
  metadata: {},
  warnings: [],
  ...more,
});

export const newSubscription = (businessId: string, more: Partial<Subscription> = {}): Subscription => ({
  id: newId("sub", T0),
  businessId,
  url: "https://receiver.example/hook",
  events: FEED_EVENTS,
  boardId: null,
  zoneIds: [],
  types: [],
  tags: [],
  properties: {},
  includeTile: false,
  retries: true,
  description: null,
  status: "active",
  pausedReason: null,
  keyId: null,
  createdBy: "operator",
  sealedSecret: "sealed",
  sealedPrevious: null,
  previousUntil: null,
  failures: 0,
  failingSince: null,
  lastDeliveryAt: null,
  createdAt: T0,
  updatedAt: T0,
  ...more,
});

export const newWebhook = (businessId: string, more: Partial<Webhook> = {}): Webhook => ({
  id: newId("whk", T0),
  businessId,
  url: "https://receiver.example/hook",
  events: DEFAULT_EVENTS,
  retries: false,
  sealedSecret: "sealed",
  sealedPrevious: null,
  previousUntil: null,
  createdAt: T0,
  updatedAt: T0,
  ...more,
});
