import { Readable } from "node:stream";
import type { Static, TObject } from "typebox";
import type { TileQuery, TileSummary } from "#domain/content/tile.ts";
import type { BoardReader } from "#service/access.ts";
import { pageTiles, requireZoneOn, streamTiles } from "#service/content/tiles.ts";
import type { RawJson } from "../answer/answers.ts";
import type { Basis } from "./cache.ts";
import { asksAnew, nameListing } from "./name.ts";
import type { Call } from "../call.ts";
import { presentTileSummary } from "../presenters/content.ts";
import type { Inputs } from "../schemas/inputs.ts";
import { readTime } from "./time.ts";

/** The page size when only a cursor is given. */
const PAGE = 500;

type TileCall = Call<BoardReader, TObject, Inputs["tilePage"]>;

/** Answers a tile listing: a page with `nextCursor`, or everything, streamed in steps of bounded size. */
export async function answerTileListing(
  { deps, granted, query, request }: TileCall,
  schema: Inputs["tilePage"],
): Promise<RawJson | Readable> {
  const { id } = granted.target;
  const revisions = await deps.store.boards.revisions(granted.target);
  const wanted = readQuery(query);
  const name = nameListing(request, schema, id, { ...wanted, limit: query.limit, cursor: query.cursor });
  const cached = asksAnew(request) ? undefined : deps.listings.get(name, granted, revisions);
  if (cached !== undefined) return cached;
  if (query.zone_id !== undefined) await requireZoneOn(deps, granted, query.zone_id);
  if (query.limit === undefined && query.cursor === undefined) {
    const steps = streamTiles(deps, granted, wanted);
    const first = await steps.next();
    const second = first.done === true ? first : await steps.next();
    if (second.done !== true)
      return Readable.from(renderSteps([first.value as readonly TileSummary[], second.value], steps, wanted.withText));
    return remember("content", render(first.value ?? [], wanted.withText, undefined));
  }
  const listing = `tiles ${id} ${JSON.stringify(wanted)}`;
  const after = query.cursor === undefined ? null : deps.cursors.read(listing, query.cursor);
  const { tiles, next } = await pageTiles(deps, granted, wanted, after, query.limit ?? PAGE);
  // New tiles come last in this order: a page that has others after it can't get them.
  const isSettled = wanted.order === "asc" && next !== null;
  return remember(
    isSettled ? "existing" : "content",
    render(tiles, wanted.withText, next === null ? null : deps.cursors.write(listing, next)),
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

function render(tiles: readonly TileSummary[], withText: boolean, nextCursor: string | null | undefined): string {
  const end = nextCursor === undefined ? "" : `,"nextCursor":${JSON.stringify(nextCursor)}`;
  return `{"tiles":[${renderRows(tiles, withText)}]${end}}`;
}

async function* renderSteps(
  first: readonly (readonly TileSummary[])[],
  rest: AsyncIterable<readonly TileSummary[]>,
  withText: boolean,
): AsyncGenerator<string> {
  let separator = '{"tiles":[';
  for (const step of first) {
    yield separator + renderRows(step, withText);
    separator = ",";
  }
  for await (const step of rest) yield separator + renderRows(step, withText);
  yield "]}";
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
