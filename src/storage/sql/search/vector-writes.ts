import type { PassageEmbeddings, UnembeddedTile } from "#domain/answers/vectors.ts";
import { toBlock } from "../../shared/codec.ts";
import { type EmbeddingBlock, writeToBlock } from "../../shared/embedding-block.ts";
import type { Dialect } from "../driver.ts";
import { exists, get, run, type Unit } from "../unit.ts";
import { type BoardNumber, readBoardNumber } from "./postings.ts";

type Item = Embedded & { readonly isLast: boolean };
export type Embedded = { readonly tile: UnembeddedTile; readonly embeddings: readonly PassageEmbeddings[] };
type Claims = { release(tile: UnembeddedTile): Unit<void> };

/** Passages in one unit of work. A unit rewrites the blocks that they are in, of up to 128 KiB each. */
export const MAX_PASSAGES = 400;

/**
 * Splits the embeddings of one board's tiles into units of work. Those of a long tile are several items; the tile counts as embedded once
 * the last one is stored, and is embedded again if the work ends before.
 */
export function splitIntoUnits(group: readonly Embedded[], maxPassages: number): (readonly Item[])[] {
  const units: Item[][] = [];
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
export function* storeEmbeddings(dialect: Dialect, claims: Claims, isWaiting: string, group: readonly Item[]): Unit<void> {
  const { businessId, boardId } = (group[0] as Item).tile;
  const board = yield* readBoardNumber(businessId, boardId);
  if (board === undefined) return;
  const stored: PassageEmbeddings[] = [];
  // Every unit locks several tiles in the order of their ids, to avoid deadlocks.
  for (const { tile, embeddings, isLast } of [...group].sort((a, b) => (a.tile.tileId < b.tile.tileId ? -1 : 1))) {
    const isSame = isLast ? yield* markEmbedded(dialect, board, isWaiting, tile) : yield* isUnchanged(dialect, board, isWaiting, tile);
    if (isLast) yield* claims.release(tile);
    if (isSame) stored.push(...embeddings);
  }
  if (stored.length === 0) return;
  yield* dialect.index.lock(board);
  yield* storeSentences(dialect, board, stored);
  for (const [block, items] of Map.groupBy(stored, ({ document }) => toBlock(document))) yield* storePassages(dialect, board, block, items);
}

/** Returns the condition that a tile still waits, and was not indexed again, which gives its passages new documents. */
function findSame({ index }: Dialect, board: BoardNumber, isWaiting: string, { tileId, version, chunks }: UnembeddedTile) {
  const [first] = chunks;
  const isSame =
    first === undefined
      ? "t.version = @version"
      : `EXISTS (SELECT 1 FROM chunk c WHERE ${index.isOfBoard("c")} AND c.document = @document AND c.tile_id = t.id)`;
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
    `WITH computed AS MATERIALIZED (SELECT document, sentences FROM ${dialect.rowsOfJson("rows", { document: "bigint", sentences: "text" })} AS r)
     UPDATE chunk SET sentence_signatures = ${dialect.index.fromHex("computed.sentences")} FROM computed
     WHERE ${dialect.index.isOfBoard("chunk")} AND chunk.document IN (SELECT document FROM computed) AND chunk.document = computed.document`,
    { ...board, rows: JSON.stringify(rows) },
  );
}

function* storePassages(dialect: Dialect, board: BoardNumber, block: number, items: readonly PassageEmbeddings[]): Unit<void> {
  const { index } = dialect;
  const previous = yield* get<EmbeddingBlock>(
    `SELECT width, signatures AS bytes FROM passage_block WHERE ${index.isOfBoard()} AND block = @block`,
    { ...board, block },
  );
  const { width, bytes } = writeToBlock(previous, items);
  yield* run(
    `INSERT INTO passage_block (${index.boardColumns}, block, width, signatures) VALUES (${index.boardParams}, @block, @width, @bytes)
     ON CONFLICT (${index.boardColumns}, block) DO UPDATE SET width = excluded.width, signatures = excluded.signatures${index.setBlockVersion}`,
    { ...board, block, width, bytes },
  );
}
