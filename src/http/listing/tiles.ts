import type { FastifyReply } from "fastify";
import type { TObject } from "typebox";
import type { KnownState } from "#domain/content/changes.ts";
import type { Revisions } from "#domain/core/board.ts";
import { invalidField } from "#domain/core/errors/error.ts";
import type { TileCursor, TileQuery } from "#domain/content/tile-store.ts";
import type { BoardReader } from "#service/access.ts";
import { readTileStep, requireZoneOn } from "#service/content/tiles.ts";
import { createSteps } from "#service/work-queue.ts";
import { ownerOfRequest } from "../request/byte-shares.ts";
import { createDisconnectSignal } from "../response/connection/disconnect.ts";
import { RawJson } from "../response/raw-json.ts";
import { type StreamedBody, readParts } from "../response/streamed-body.ts";
import type { HandlerContext } from "../route.ts";
import { type TILE_QUERY, readTileQuery } from "../wire/tiles/tile-query.ts";
import { bypassesCache, createListingKey } from "./listing-key.ts";
import { type TilesToRender, renderTiles } from "./render-tiles.ts";
import { INITIAL_TOKEN, createSyncScope, readSyncToken, writeSyncToken } from "./sync-token.ts";
import { sendIfUnchanged } from "./validators.ts";

/** The page size if only a cursor is given. */
const DEFAULT_PAGE_SIZE = 500;
/** The number of deleted tiles in a response, which are read and held at once. After more deletions, the whole listing is read instead. */
export const MAX_DELETED = 10_000;

type TileCall = HandlerContext<BoardReader, TObject, typeof TILE_QUERY>;
type RunStep = ReturnType<typeof createSteps>;

/**
 * Responds with a page of tiles, the whole listing, or the changes since a sync token. Long ones are streamed. Throws 429 when too much work
 * of the caller is waiting.
 */
export async function sendTileListing(call: TileCall): Promise<RawJson | StreamedBody | FastifyReply> {
  const { deps, authorized, query, ignored, request, reply } = call;
  if (query.updated_since !== undefined && query.order !== undefined) ignored.addWithoutEffect("order");
  const { id } = authorized.target;
  const revisions = await deps.store.boards.revisions(authorized.target);
  const known = query.sync_token === undefined ? null : readKnownState(call, query.sync_token, revisions);
  const tileQuery = readTileQuery(deps, query);
  let runStep: RunStep | undefined;
  if (known !== null) {
    runStep = createRunStep(call);
    const changes = await listChanges(call, runStep, { ...tileQuery, changedSince: known }, revisions);
    if (changes !== null) return changes;
  }
  const key = createListingKey("content", id, {
    ...tileQuery,
    limit: query.limit,
    cursor: query.cursor,
    sync: query.sync_token,
    count: query.count,
  });
  const cached = bypassesCache(request) ? undefined : deps.listings.get(key, authorized, revisions);
  // The zone and the cursor were checked when a cached listing was created. The query is validated before 304 is sent.
  if (cached === undefined && tileQuery.zoneId != null) await requireZoneOn(deps, authorized, tileQuery.zoneId);
  const nameScope = (): string => `tiles ${id} ${JSON.stringify(tileQuery)}`;
  const after = query.cursor === undefined ? null : deps.cursors.read(nameScope(), query.cursor);
  if (sendIfUnchanged(request, reply, { key, part: "content", cached }, revisions)) return reply;
  if (cached !== undefined) return cached;
  runStep ??= createRunStep(call);
  const isPage = query.limit !== undefined || query.cursor !== undefined;
  const total = query.count === true ? `,"total":${await runStep(() => deps.store.tiles.count(authorized, tileQuery))}` : "";
  let hasMore = false;
  const suffix = (next: TileCursor | null): string => {
    hasMore = next !== null;
    const fields = query.sync_token === undefined ? "" : syncFields([], !hasMore, createSyncToken(call, revisions));
    if (!isPage) return `${fields}${total}`;
    return `${fields}${total},"nextCursor":${JSON.stringify(next === null ? null : deps.cursors.write(nameScope(), next))}`;
  };
  const limit = isPage ? (query.limit ?? DEFAULT_PAGE_SIZE) : Infinity;
  const listing = await runStep(() => renderListing(call, tileQuery, { after, limit, suffix }));
  if (typeof listing !== "string") return listing;
  // In this order new tiles come last, so they can't change a page that is followed by others.
  const isFull = tileQuery.order === "asc" && hasMore && query.sync_token === undefined && query.count !== true;
  const source = { boardId: id, dependsOn: isFull ? "existing" : "content" } as const;
  return deps.listings.set(key, source, revisions, listing);
}

/** Creates the function that runs the steps before the response. Clients that are gone wait for none. */
const createRunStep = ({ deps, authorized, reply }: TileCall): RunStep =>
  createSteps(deps, authorized.actor, createDisconnectSignal(reply), true);

/**
 * Returns a listing as text if it is read in one step, otherwise as a streamed body. Must be called in the caller's turn. `suffixLength` is
 * given for a suffix that is held while the listing is sent.
 */
async function renderListing(
  { deps, authorized, request, reply }: TileCall,
  query: TileQuery,
  { after, limit, suffix }: Pick<TilesToRender, "after" | "limit" | "suffix">,
  suffixLength = 0,
): Promise<string | StreamedBody> {
  const read: TilesToRender["read"] = (from, rows) => readTileStep(deps, authorized, query, from, rows);
  const parts = renderTiles({ read, after, limit, withText: query.withText, suffix });
  const owner = ownerOfRequest(request);
  deps.responses.admit(owner);
  const listing = await readParts(parts, suffixLength);
  deps.responses.hold(reply.raw, owner, typeof listing === "string" ? listing.length : listing.firstBytes + listing.heldBytes);
  return listing;
}

type ChangesQuery = TileQuery & { readonly changedSince: KnownState };

/**
 * Returns the changes since a known state, or null after more than `MAX_DELETED` deletions. They are read after `revisions`, so that no
 * change falls between two calls.
 */
function listChanges(call: TileCall, runStep: RunStep, query: ChangesQuery, revisions: Revisions): Promise<RawJson | StreamedBody | null> {
  const { deps, authorized } = call;
  return runStep(async () => {
    // A tile that is deleted between the two reads is missing from this response and listed as deleted in the next.
    const deleted = await deps.store.tiles.deletedSince(authorized, query.changedSince.revision, MAX_DELETED + 1);
    if (deleted.length > MAX_DELETED) return null;
    const fields = syncFields(deleted, false, createSyncToken(call, revisions));
    const listing = await renderListing(call, query, { after: null, limit: Infinity, suffix: () => fields }, fields.length);
    return typeof listing === "string" ? new RawJson(listing) : listing;
  });
}

/** Parameters that could hide changes. The first call may have a limit: its page comes with the token that the changes start at. */
const INCOMPATIBLE_WITH_SYNC = [
  "cursor",
  "count",
  "updated_since",
  "order",
  "zone_id",
  "status",
  "type",
  "tag",
  "property",
  "external_id",
  "source_url",
  "source_id",
] as const;

function readKnownState({ deps, authorized, query }: TileCall, token: string, revisions: Revisions): KnownState | null {
  const given = INCOMPATIBLE_WITH_SYNC.find((name) => query[name] !== undefined);
  if (given !== undefined) throw invalidField("sync_token", `can't be combined with ${given}.`);
  const known = readSyncToken(token, createSyncScope(deps.store.epoch, authorized.target.id), revisions, deps.clock.now());
  if (token !== INITIAL_TOKEN && query.limit !== undefined)
    throw invalidField("sync_token", "can only be combined with limit in the first call, where it is 0.");
  return known;
}

const createSyncToken = ({ deps, authorized }: TileCall, revisions: Revisions): string =>
  writeSyncToken(createSyncScope(deps.store.epoch, authorized.target.id), revisions, deps.clock.now());

/** Returns the fields that follow the tiles, as JSON that starts with a comma. */
const syncFields = (deleted: readonly string[], complete: boolean, syncToken: string): string =>
  `,"deleted":${JSON.stringify(deleted)},"complete":${complete},"syncToken":${JSON.stringify(syncToken)}`;
