import type { FastifyReply } from "fastify";
import type { Static, TObject } from "typebox";
import type { KnownState } from "#domain/content/changes.ts";
import type { Revisions } from "#domain/core/board.ts";
import { invalidField } from "#domain/core/error.ts";
import type { TileCursor, TileQuery } from "#domain/content/tile-store.ts";
import type { BoardReader } from "#service/access.ts";
import { readTileStep, requireZoneOn } from "#service/content/tiles.ts";
import { runStepInTurn } from "#service/work-queue.ts";
import { bypassesCache, createListingKey } from "./listing-key.ts";
import { ownerOfRequest } from "../request/byte-shares.ts";
import { readTime } from "../request/time.ts";
import { RawJson } from "../response/raw-json.ts";
import { type StreamedBody, readParts } from "../response/streamed-body.ts";
import type { HandlerContext, HttpDeps } from "../route.ts";
import { type TILE_QUERY, readZoneFilter } from "../wire/tile-input.ts";
import { type TileParts, renderTiles } from "./render-tiles.ts";
import { INITIAL_TOKEN, readSyncToken, writeSyncToken } from "./sync-token.ts";
import { sendNotModified } from "./validators.ts";

/** The page size if only a cursor is given. */
const DEFAULT_PAGE_SIZE = 500;

type TileCall = HandlerContext<BoardReader, TObject, typeof TILE_QUERY>;
type TileQueryInput = Static<typeof TILE_QUERY>;

/** Responds with a page of tiles, the whole listing, or the changes since a sync token. Long ones are streamed. */
export async function sendTileListing(call: TileCall): Promise<RawJson | StreamedBody | FastifyReply> {
  const { deps, authorized, query, request, reply } = call;
  const { id } = authorized.target;
  const revisions = await deps.store.boards.revisions(authorized.target);
  const known = query.sync_token === undefined ? null : readKnownState(deps, query, query.sync_token, revisions);
  if (known !== null) return listChanges(call, { ...readTileQuery(query), changedSince: known }, revisions);
  const tileQuery = readTileQuery(query);
  const key = createListingKey(request, id, {
    ...tileQuery,
    limit: query.limit,
    cursor: query.cursor,
    sync: query.sync_token,
    count: query.count,
  });
  const cached = bypassesCache(request) ? undefined : deps.listings.get(key, authorized, revisions);
  // The zone and the cursor were checked when a cached listing was created. The query is validated before 304 is sent.
  if (cached === undefined && tileQuery.zoneId != null) await requireZoneOn(deps, authorized, tileQuery.zoneId);
  const cursorScope = `tiles ${id} ${JSON.stringify(tileQuery)}`;
  const after = query.cursor === undefined ? null : deps.cursors.read(cursorScope, query.cursor);
  if (sendNotModified(request, reply, { key, part: "content" }, revisions)) return reply;
  if (cached !== undefined) return cached;
  const isPage = query.limit !== undefined || query.cursor !== undefined;
  const total =
    query.count === true
      ? `,"total":${await runStepInTurn(deps, authorized.actor, () => deps.store.tiles.count(authorized, tileQuery))}`
      : "";
  let hasMore = false;
  const suffix = (next: TileCursor | null): string => {
    hasMore = next !== null;
    const fields = query.sync_token === undefined ? "" : syncFields([], !hasMore, createSyncToken(deps, revisions));
    if (!isPage) return `${fields}${total}`;
    return `${fields}${total},"nextCursor":${JSON.stringify(next === null ? null : deps.cursors.write(cursorScope, next))}`;
  };
  const limit = isPage ? (query.limit ?? DEFAULT_PAGE_SIZE) : Infinity;
  const listing = await renderListing(call, tileQuery, { after, limit, suffix });
  if (typeof listing !== "string") return listing;
  // In this order new tiles come last, so they can't change a page that is followed by others.
  const isFull = tileQuery.order === "asc" && hasMore && query.sync_token === undefined && query.count !== true;
  const source = { boardId: id, dependsOn: isFull ? "existing" : "content" } as const;
  return deps.listings.set(key, source, revisions, listing);
}

/** Returns a listing as text if it is read in one step, otherwise as a streamed body. */
function renderListing(
  { deps, authorized, request, reply }: TileCall,
  query: TileQuery,
  { after, limit, suffix }: Pick<TileParts, "after" | "limit" | "suffix">,
): Promise<string | StreamedBody> {
  const read: TileParts["read"] = (from, rows) => readTileStep(deps, authorized, query, from, rows);
  const parts = renderTiles({ read, after, limit, withText: query.withText, suffix });
  const owner = ownerOfRequest(request);
  return runStepInTurn(deps, authorized.actor, async () => {
    deps.responses.admit(owner);
    const listing = await readParts(parts);
    deps.responses.hold(reply.raw, owner, typeof listing === "string" ? listing.length : listing.firstBytes);
    return listing;
  });
}

function readTileQuery(query: TileQueryInput): TileQuery {
  const { updated_since: since, zone_id: zoneId, status, type, external_id: externalId } = query;
  return {
    order: since === undefined ? (query.order ?? "asc") : "updated",
    withText: query.text !== false,
    ...(query.metadata === true ? { withMetadata: true } : {}),
    ...(zoneId === undefined ? {} : { zoneId: readZoneFilter(zoneId) }),
    ...(status === undefined ? {} : { status }),
    ...(type === undefined ? {} : { type }),
    ...(externalId === undefined ? {} : { externalId }),
    ...(since === undefined ? {} : { updatedSince: readTime("updated_since", since) }),
  };
}

type ChangesQuery = TileQuery & { readonly changedSince: KnownState };

/** Returns the changes since a known state. They are read after `revisions`, so that no change falls between two calls. */
async function listChanges(call: TileCall, query: ChangesQuery, revisions: Revisions): Promise<RawJson | StreamedBody> {
  const { deps, authorized } = call;
  // A tile that is deleted between the two reads is missing from this response and listed as deleted in the next.
  const deleted = await deps.store.tiles.deletedSince(authorized, query.changedSince.revision);
  const fields = syncFields(deleted, false, createSyncToken(deps, revisions));
  const listing = await renderListing(call, query, { after: null, limit: Infinity, suffix: () => fields });
  return typeof listing === "string" ? new RawJson(listing) : listing;
}

/** Parameters that could hide changes. The first call may have a limit: its page comes with the token that the changes start at. */
const INCOMPATIBLE_WITH_SYNC = ["cursor", "count", "updated_since", "order", "zone_id", "status", "type", "external_id"] as const;

function readKnownState({ store, clock }: HttpDeps, query: TileQueryInput, token: string, revisions: Revisions): KnownState | null {
  const given = INCOMPATIBLE_WITH_SYNC.find((name) => query[name] !== undefined);
  if (given !== undefined) throw invalidField("sync_token", `can't be combined with ${given}.`);
  const known = readSyncToken(token, store.epoch, revisions, clock.now());
  if (token !== INITIAL_TOKEN && query.limit !== undefined)
    throw invalidField("sync_token", "can only be combined with limit in the first call, where it is 0.");
  return known;
}

const createSyncToken = ({ store, clock }: HttpDeps, revisions: Revisions): string => writeSyncToken(store.epoch, revisions, clock.now());

/** Returns the fields that follow the tiles, as JSON that starts with a comma. */
const syncFields = (deleted: readonly string[], complete: boolean, syncToken: string): string =>
  `,"deleted":${JSON.stringify(deleted)},"complete":${complete},"syncToken":${JSON.stringify(syncToken)}`;
