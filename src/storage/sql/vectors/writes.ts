import { randomInt } from "node:crypto";
import type { PassageEmbeddings, UnembeddedTile } from "#domain/answers/vectors.ts";
import { toBlock } from "../../shared/codec.ts";
import { type EmbeddingBlock, writeToBlock } from "../../shared/embedding-block.ts";
import type { Dialect } from "../driver.ts";
import { Mapping, plain } from "../mapping.ts";
import { boardColumns, type BoardNumber, boardParams, findBoardNumber, isOfBlock, isOfBoard, lockIndex } from "../search/board-index.ts";
import type { TileClaims } from "../search/adapters.ts";
import { exists, run, type Unit } from "../unit.ts";

export type EmbeddedPart = Embedded & { readonly isLast: boolean };
export type Embedded = { readonly tile: UnembeddedTile; readonly embeddings: readonly PassageEmbeddings[] };
type Claims = Pick<TileClaims, "release">;

const EMBEDDING_BLOCKS = new Mapping<EmbeddingBlock>({ width: plain, bytes: { column: "embeddings" } });
const SENTENCE_COLUMNS = { document: "bigint", sentences: "bytes" } as const;
/** The versions of a block are random, so that none is repeated when the block is erased and written again. */
const MAX_VERSION = 2 ** 48 - 1;

/** Passages in one unit of work. A unit rewrites the blocks that they are in, of up to 128 KiB each. */
export const MAX_PASSAGES = 400;

/**
 * Splits the embeddings of one board's tiles into units of work. Those of a long tile are several items; the tile counts as embedded once
 * the last one is stored, and is embedded again if the work ends before.
 */
export function splitIntoUnits(group: readonly Embedded[], maxPassages: number): (readonly EmbeddedPart[])[] {
  const units: EmbeddedPart[][] = [];
  let passages = Infinity;
  for (const { tile, embeddings } of group) {
    for (let at = 0; at === 0 || at < embeddings.length; at += maxPassages) {
      const part = embeddings.slice(at, at + maxPassages);
      if (passages + part.length > maxPassages) {
        units.push([]);
        passages = 0;
      }
      passages += part.length;
      units.at(-1)?.push({ tile, embeddings: part, isLast: at + maxPassages >= embeddings.length });
    }
  }
  return units;
}

/** Stores the embeddings of those tiles of one board that have not changed since. `isWaiting` is a condition on the tile `t`. */
export function* storeEmbeddings(dialect: Dialect, claims: Claims, isWaiting: string, group: readonly EmbeddedPart[]): Unit<void> {
  const { businessId, boardId } = (group[0] as EmbeddedPart).tile;
  const board = yield* findBoardNumber(businessId, boardId);
  if (board === null) return;
  const stored: PassageEmbeddings[] = [];
  // Every unit locks several tiles in the order of their ids, to avoid deadlocks.
  for (const { tile, embeddings, isLast } of [...group].sort((a, b) => (a.tile.tileId < b.tile.tileId ? -1 : 1))) {
    const isSame = isLast ? yield* markEmbedded(dialect, board, isWaiting, tile) : yield* isUnchanged(dialect, board, isWaiting, tile);
    if (isLast) yield* claims.release(tile);
    if (isSame) stored.push(...embeddings);
  }
  if (stored.length === 0) return;
  yield* lockIndex(dialect, board);
  yield* storeSentences(dialect, board, stored);
  for (const [block, items] of Map.groupBy(stored, ({ document }) => toBlock(document))) yield* storePassages(dialect, board, block, items);
}

/** Returns the condition that a tile still waits, and was not indexed again, which gives its passages new documents. */
function findSame(dialect: Dialect, board: BoardNumber, isWaiting: string, { tileId, version, chunks }: UnembeddedTile) {
  const [first] = chunks;
  const isSame =
    first === undefined
      ? "t.version = @version"
      : `EXISTS (SELECT 1 FROM chunk c WHERE ${isOfBoard(dialect, "c")} AND c.document = @document AND c.tile_id = t.id)`;
  return {
    condition: `t.business_id = @businessId AND t.id = @tileId AND ${isWaiting} AND ${isSame}`,
    params: { ...board, tileId, version, document: first?.document ?? null },
  };
}

/** Marks a tile as embedded unless it has changed. Returns whether it was marked. */
function* markEmbedded(dialect: Dialect, board: BoardNumber, isWaiting: string, tile: UnembeddedTile): Unit<boolean> {
  const { condition, params } = findSame(dialect, board, isWaiting, tile);
  return (yield* run(`UPDATE tile AS t SET is_embedded = TRUE WHERE ${condition}`, params)) > 0;
}

/** Whether a tile has not changed. Locks it. */
function isUnchanged(dialect: Dialect, board: BoardNumber, isWaiting: string, tile: UnembeddedTile): Unit<boolean> {
  const { condition, params } = findSame(dialect, board, isWaiting, tile);
  return exists(`SELECT 1 FROM tile t WHERE ${condition}${dialect.locking("FOR SHARE OF t")}`, params);
}

function* storeSentences(dialect: Dialect, board: BoardNumber, embeddings: readonly PassageEmbeddings[]): Unit<void> {
  const rows = embeddings.map(({ document, sentences }) => ({
    document,
    sentences: Buffer.from(sentences.buffer, sentences.byteOffset, sentences.length).toString("hex"),
  }));
  yield* run(
    // Without MATERIALIZED, SQLite joins all chunks of the board with all rows.
    `WITH computed AS MATERIALIZED (SELECT document, sentences FROM ${dialect.rowsOfJson("rows", SENTENCE_COLUMNS)} AS r)
     UPDATE chunk SET sentence_embeddings = computed.sentences FROM computed
     WHERE ${isOfBoard(dialect, "chunk")} AND chunk.document IN (SELECT document FROM computed) AND chunk.document = computed.document`,
    { ...board, rows: JSON.stringify(rows) },
  );
}

function* storePassages(dialect: Dialect, board: BoardNumber, block: number, items: readonly PassageEmbeddings[]): Unit<void> {
  const previous = yield* EMBEDDING_BLOCKS.find(`passage_block WHERE ${isOfBlock(dialect)}`, { ...board, block });
  const { width, bytes } = writeToBlock(previous ?? undefined, items);
  yield* run(
    `INSERT INTO passage_block (${boardColumns(dialect)}, block, version, width, embeddings)
     VALUES (${boardParams(dialect)}, @block, @version, @width, @bytes)
     ON CONFLICT (${boardColumns(dialect)}, block)
     DO UPDATE SET version = excluded.version, width = excluded.width, embeddings = excluded.embeddings`,
    { ...board, block, version: randomInt(MAX_VERSION), width, bytes },
  );
}
