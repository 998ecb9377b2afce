import type { Analysis } from "#domain/answers/analysis.ts";
import type { TileVersion } from "#domain/answers/search.ts";
import { PARTLY_INDEXED, type TileWarning } from "#domain/content/tile.ts";
import type { Dialect, Driver } from "../driver.ts";
import { exists, get, run, type Unit } from "../unit.ts";
import { touchBoard } from "../content/board-revisions.ts";
import { STAMP_REVISION } from "../tiles/rows/tile-columns.ts";
import type { TileClaims } from "./adapters.ts";
import { findBoardNumber, isOfBoard, isOfTiles, lockIndex } from "./board-index.ts";
import { iterateRows } from "./index-tiles.ts";
import { addChunks, appendPostings, DOCUMENTS, type PostingRow, setLive } from "./postings.ts";
import { removeFromIndex } from "./remove-tiles.ts";

/** Entries in one unit of work, for each of its terms, on average. A term of a long text may have hundreds. */
const MAX_ENTRIES_PER_TERM = 8;

const PARTLY_INDEXED_WARNING: TileWarning = {
  code: PARTLY_INDEXED,
  message: "Search does not find a part of this text, because it is too complex. Split the text into several tiles.",
};

type Parts = AsyncIterable<Analysis | null> | Iterable<Analysis | null>;
/** Where a part of a tile is in the index. */
type StagedPart = { readonly tile: TileVersion; readonly first: number };

/**
 * Returns the function that writes a tile to the index in units of work of at most `maxTerms` terms. Its chunks are dead until the last
 * unit, so a search finds the tile among the waiting ones. If the tile changes, or the process ends, the next attempt removes what was
 * written.
 */
export function createPartIndexer({ dialect, write }: Driver, claims: TileClaims, maxTerms: number) {
  /** Returns false if the tile has changed. */
  async function writePart(tile: TileVersion, part: Analysis): Promise<boolean> {
    if (part.chunks.length === 0) return true;
    const first = await write(() => stageChunks(dialect, tile, part));
    if (first === null || !(await claims.claim(tile))) return false;
    for (const rows of splitRows(iterateRows(part, first), maxTerms))
      if (!(await write(() => stagePostings(dialect, { tile, first }, rows)))) return false;
    return true;
  }

  /** Returns false if the tile has changed before its end. Otherwise the claim is released. */
  async function writeParts(tile: TileVersion, parts: Parts): Promise<boolean> {
    if (!(await write(() => begin(dialect, tile)))) return false;
    let isPartial = false;
    let chunks = 0;
    for await (const part of parts) {
      if (part === null) isPartial = true;
      else if (!(await writePart(tile, part))) return false;
      chunks += part?.chunks.length ?? 0;
    }
    await write(() => publish(dialect, claims, { tile, chunks, isPartial }));
    return true;
  }

  return async (tile: TileVersion, parts: Parts): Promise<void> => {
    // Two nodes that write the same tile would remove each other's parts.
    if (!(await claims.claim(tile))) return;
    let isPublished = false;
    try {
      isPublished = await writeParts(tile, parts);
    } finally {
      // Otherwise the tile would wait until the claim ends by itself.
      if (!isPublished) await write(() => claims.release(tile));
    }
  };
}

/** Removes what an earlier attempt has written. Returns false if the tile has changed. */
function* begin(dialect: Dialect, tile: TileVersion): Unit<boolean> {
  if (!(yield* isWaiting(tile, dialect.locking("FOR UPDATE")))) return false;
  yield* removeFromIndex(dialect, tile.businessId, [tile.tileId]);
  return true;
}

/** Whether the tile still waits in this version. `lock` locks it before the index, as all writers do. */
const isWaiting = ({ businessId, tileId, version }: TileVersion, lock: string): Unit<boolean> =>
  exists(
    `SELECT 1 FROM tile t WHERE t.business_id = @businessId AND t.id = @tileId AND t.version = @version AND t.is_indexed = FALSE${lock}`,
    {
      businessId,
      tileId,
      version,
    },
  );

function* stageChunks(dialect: Dialect, tile: TileVersion, { chunks }: Analysis): Unit<number | null> {
  const { businessId, boardId, tileId } = tile;
  const board = yield* findBoardNumber(businessId, boardId);
  if (board === null || !(yield* isWaiting(tile, dialect.locking("FOR SHARE OF t")))) return null;
  return yield* addChunks(
    dialect,
    board,
    chunks.map((chunk) => ({ tileId, ...chunk })),
  );
}

function* stagePostings(
  dialect: Dialect,
  { tile: { businessId, boardId, tileId }, first }: StagedPart,
  rows: readonly PostingRow[],
): Unit<boolean> {
  const board = yield* findBoardNumber(businessId, boardId);
  if (board === null) return false;
  yield* lockIndex(dialect, board);
  // A change of the tile removes its chunks.
  const isStaged = yield* exists(`SELECT 1 FROM chunk WHERE ${isOfBoard(dialect)} AND document = @first AND tile_id = @tileId`, {
    ...board,
    first,
    tileId,
  });
  if (isStaged) yield* appendPostings(dialect, board, rows);
  return isStaged;
}

type WrittenTile = { readonly tile: TileVersion; readonly chunks: number; readonly isPartial: boolean };

/** Makes all chunks of the tile live, and the tile indexed. Does nothing if the tile has changed, or if its chunks were removed. */
function* publish(dialect: Dialect, claims: TileClaims, { tile, chunks, isPartial }: WrittenTile): Unit<void> {
  const { businessId, boardId, tileId } = tile;
  yield* claims.release(tile);
  const board = yield* findBoardNumber(businessId, boardId);
  if (board === null) return;
  const warnings = yield* planWarnings(tile, isPartial);
  if (warnings !== undefined) yield* touchBoard(businessId, boardId);
  if (!(yield* isWaiting(tile, dialect.locking("FOR UPDATE")))) return;
  yield* lockIndex(dialect, board);
  const documents = yield* DOCUMENTS.list(`chunk WHERE ${isOfTiles(dialect)} ORDER BY document`, { businessId, tileIds: [tileId] });
  if (documents.length !== chunks) return;
  yield* setLive(dialect, board, documents, true);
  const withWarnings = warnings === undefined ? "" : `, warnings = @warnings, version = version + 1, ${STAMP_REVISION}`;
  yield* run(
    `UPDATE tile SET is_indexed = TRUE, is_embedded = FALSE ${withWarnings}
     WHERE business_id = @businessId AND id = @tileId`,
    { businessId, tileId, ...(warnings === undefined ? {} : { warnings }) },
  );
}

/** Returns the new warnings as JSON, null for none, or undefined if they stay the same. */
function* planWarnings({ businessId, tileId }: TileVersion, isPartial: boolean): Unit<string | null | undefined> {
  const sql = "SELECT warnings FROM tile WHERE business_id = @businessId AND id = @tileId";
  const row = yield* get<{ warnings: string | null }>(sql, { businessId, tileId });
  const before = JSON.parse(row?.warnings ?? "[]") as TileWarning[];
  if (before.some(({ code }) => code === PARTLY_INDEXED) === isPartial) return undefined;
  const after = [...before.filter(({ code }) => code !== PARTLY_INDEXED), ...(isPartial ? [PARTLY_INDEXED_WARNING] : [])];
  return after.length === 0 ? null : JSON.stringify(after);
}

/** Groups rows so that a group has at most `maxTerms` rows, and a bounded number of entries. */
function* splitRows(rows: Iterable<PostingRow>, maxTerms: number): Generator<readonly PostingRow[]> {
  let group: PostingRow[] = [];
  let entries = 0;
  for (const row of rows) {
    if (group.length >= maxTerms || entries >= maxTerms * MAX_ENTRIES_PER_TERM) {
      yield group;
      group = [];
      entries = 0;
    }
    group.push(row);
    entries += row.entries.length;
  }
  if (group.length > 0) yield group;
}
