import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Static, TObject } from "typebox";
import type { KnownState } from "#domain/content/changes.ts";
import type { Revisions } from "#domain/core/board.ts";
import { invalid } from "#domain/core/error.ts";
import type { TileQuery, TileSummary } from "#domain/content/tile.ts";
import type { BoardReader } from "#service/access.ts";
import { pageTiles, requireZoneOn, streamTiles } from "#service/content/tiles.ts";
import { RawJson } from "../response/answers.ts";
import type { Basis } from "../fast-path/listing-cache.ts";
import { bypassesCache, createListingKey } from "../fast-path/listing-name.ts";
import type { HandlerContext, HttpDeps } from "../route.ts";
import { presentTileSummary } from "../wire/content.ts";
import type { Inputs } from "../wire/inputs.ts";
import { readSyncToken, writeSyncToken } from "./sync-token.ts";
import { readTime } from "../request/time.ts";
import { sendNotModified } from "./validators.ts";

/** The page size when only a cursor is given. */
const PAGE = 500;

type TileCall = HandlerContext<BoardReader, TObject, Inputs["tilePage"]>;

/** Returns a tile listing: a page with `nextCursor`, or everything, or what changed; what is not a page is streamed in steps of bounded size. */
export async function renderTileListing(
  { deps, authorized, query, request, reply }: TileCall,
  schema: Inputs["tilePage"],
): Promise<RawJson | Readable | FastifyReply> {
  const { id } = authorized.target;
  const revisions = await deps.store.boards.revisions(authorized.target);
  const known = query.sync_token === undefined ? null : readSync(deps, query, query.sync_token, revisions);
  if (known !== null) return listChanges(deps, authorized, { ...readQuery(query), changedSince: known }, revisions);
  const wanted = readQuery(query);
  const name = createListingKey(request, schema, id, { ...wanted, limit: query.limit, cursor: query.cursor, sync: query.sync_token });
  const cached = bypassesCache(request) ? undefined : deps.listings.get(name, authorized, revisions);
  // What is cached was checked when it was made.
  if (cached === undefined && query.zone_id !== undefined) await requireZoneOn(deps, authorized, query.zone_id);
  const listing = `tiles ${id} ${JSON.stringify(wanted)}`;
  const after = query.cursor === undefined ? null : deps.cursors.read(listing, query.cursor);
  if (sendNotModified(request, reply, { key: name.key, part: "content" }, revisions)) return reply;
  if (cached !== undefined) return cached;
  if (query.limit === undefined && query.cursor === undefined) {
    const end = query.sync_token === undefined ? "" : syncEnd([], true, writeSyncToken(deps.store.epoch, revisions, deps.clock.now()));
    const whole = await renderWhole(streamTiles(deps, authorized, wanted), wanted.withText, end);
    return typeof whole === "string" ? remember("content", whole) : whole;
  }
  const { tiles, next } = await pageTiles(deps, authorized, wanted, after, query.limit ?? PAGE);
  // New tiles come last in this order: a page that has others after it can't get them.
  const isSettled = wanted.order === "asc" && next !== null;
  return remember(
    isSettled ? "existing" : "content",
    render(tiles, wanted.withText, `,"nextCursor":${JSON.stringify(next === null ? null : deps.cursors.write(listing, next))}`),
  );

  function remember(basis: Basis, text: string): RawJson {
    return deps.listings.set(name, { route: request.routeOptions.url ?? "", boardId: id, basis }, revisions, text);
  }
}

function readQuery(query: Static<Inputs["tilePage"]>): TileQuery {
  const { updated_since: since, zone_id: zoneId, status, type } = query;
  return {
    order: since === undefined ? (query.order ?? "asc") : "updated",
    withText: query.text !== false,
    ...(query.metadata === true ? { withMetadata: true } : {}),
    ...(zoneId === undefined ? {} : { zoneId }),
    ...(status === undefined ? {} : { status }),
    ...(type === undefined ? {} : { type }),
    ...(since === undefined ? {} : { updatedSince: readTime("updated_since", since) }),
  };
}

/** What changed since a state that the caller knows. It is read after `revisions`, so that nothing can fall between two calls. */
async function listChanges(deps: HttpDeps, reader: BoardReader, wanted: ChangesQuery, revisions: Revisions): Promise<RawJson | Readable> {
  // A tile that is deleted between the two reads is missing here and deleted in the next call.
  const deleted = await deps.store.tiles.deletedSince(reader, wanted.changedSince.revision);
  const end = syncEnd(deleted, false, writeSyncToken(deps.store.epoch, revisions, deps.clock.now()));
  const whole = await renderWhole(streamTiles(deps, reader, wanted), wanted.withText, end);
  return typeof whole === "string" ? new RawJson(whole) : whole;
}

type ChangesQuery = TileQuery & { readonly changedSince: KnownState };

/** The fields of a listing that could leave a change out. */
const NOT_WITH_SYNC = ["limit", "cursor", "updated_since", "order", "zone_id", "status", "type"] as const;

function readSync({ store, clock }: HttpDeps, query: Static<Inputs["tilePage"]>, token: string, revisions: Revisions): KnownState | null {
  const given = NOT_WITH_SYNC.find((name) => query[name] !== undefined);
  if (given !== undefined) throw invalid(`sync_token can't be combined with ${given}.`);
  return readSyncToken(token, store.epoch, revisions, clock.now());
}

const syncEnd = (deleted: readonly string[], complete: boolean, syncToken: string): string =>
  `,"deleted":${JSON.stringify(deleted)},"complete":${complete},"syncToken":${JSON.stringify(syncToken)}`;

/** `end` is what follows the tiles, as JSON that begins with a comma. */
const render = (tiles: readonly TileSummary[], withText: boolean, end: string): string =>
  `{"tiles":[${renderRows(tiles, withText)}]${end}}`;

/** A listing as one text where it is read in one step, else as a stream. */
async function renderWhole(steps: AsyncGenerator<readonly TileSummary[]>, withText: boolean, end: string): Promise<string | Readable> {
  const first = await steps.next();
  const second = first.done === true ? first : await steps.next();
  if (second.done === true) return render(first.value ?? [], withText, end);
  return Readable.from(renderSteps([first.value as readonly TileSummary[], second.value], steps, withText, end));
}

async function* renderSteps(
  first: readonly (readonly TileSummary[])[],
  rest: AsyncIterable<readonly TileSummary[]>,
  withText: boolean,
  end: string,
): AsyncGenerator<string> {
  let separator = '{"tiles":[';
  for (const step of first) {
    yield separator + renderRows(step, withText);
    separator = ",";
  }
  for await (const step of rest) yield separator + renderRows(step, withText);
  yield `]${end}}`;
}

const renderRows = (tiles: readonly TileSummary[], withText: boolean): string =>
  tiles.map((tile) => (withText ? rowOf(tile) : JSON.stringify(presentTileSummary(tile, false)))).join(",");

/** The rows of tiles that the store still holds: one change to a board leaves all others as they were. */
const rows = new WeakMap<TileSummary, string>();

function rowOf(tile: TileSummary): string {
  let row = rows.get(tile);
  if (row === undefined) {
    row = JSON.stringify(presentTileSummary(tile, true));
    rows.set(tile, row);
  }
  return row;
}
