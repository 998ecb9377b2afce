import type { PassageEmbeddings, UnembeddedTile } from "#domain/answers/vectors.ts";
import { toBlock } from "../../shared/codec.ts";
import { writeToBlock } from "../../shared/embedding-block.ts";
import type { Dialect } from "../driver.ts";
import { get, run, type Unit } from "../unit.ts";
import { type BoardNumber, readBoardNumber } from "./index.ts";

export type Embedded = { readonly tile: UnembeddedTile; readonly embeddings: readonly PassageEmbeddings[] };
type Claims = { release(tile: UnembeddedTile): Unit<void> };

/** Stores the embeddings of those tiles of one board that have not changed since. `isWaiting` is a condition on the tile `t`. */
export function* storeEmbeddings(dialect: Dialect, claims: Claims, isWaiting: string, group: readonly Embedded[]): Unit<void> {
  const { businessId, boardId } = (group[0] as Embedded).tile;
  const board = yield* readBoardNumber(businessId, boardId);
  if (board === undefined) return;
  const stored: PassageEmbeddings[] = [];
  // Every unit locks several tiles in the order of their ids, to avoid deadlocks.
  for (const { tile, embeddings } of [...group].sort((a, b) => (a.tile.tileId < b.tile.tileId ? -1 : 1))) {
    const isStored = yield* markEmbedded(dialect, board, isWaiting, tile);
    yield* claims.release(tile);
    if (isStored) stored.push(...embeddings);
  }
  if (stored.length === 0) return;
  yield* dialect.index.lock(board);
  yield* storeSentences(dialect, board, stored);
  for (const [block, items] of Map.groupBy(stored, ({ document }) => toBlock(document))) yield* storePassages(dialect, board, block, items);
}

/** Marks a tile as embedded unless it was indexed again, which gives its passages new documents. Returns whether it was marked. */
function* markEmbedded(
  dialect: Dialect,
  board: BoardNumber,
  isWaiting: string,
  { tileId, version, chunks }: UnembeddedTile,
): Unit<boolean> {
  const { index, tile } = dialect;
  const [first] = chunks;
  const isSame =
    first === undefined
      ? "t.version = @version"
      : `EXISTS (SELECT 1 FROM chunk c WHERE ${index.isOfBoard("c")} AND c.document = @document AND c.tile_id = t.id)`;
  const changed = yield* run(
    `UPDATE tile AS t SET ${tile.embedded} = TRUE WHERE t.business_id = @businessId AND t.id = @tileId AND ${isWaiting} AND ${isSame}`,
    { ...board, tileId, version, document: first?.document ?? null },
  );
  return changed > 0;
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
  const previous = yield* get<{ signatures: Buffer }>(
    `SELECT signatures FROM passage_block WHERE ${index.isOfBoard()} AND block = @block`,
    {
      ...board,
      block,
    },
  );
  yield* run(
    `INSERT INTO passage_block (${index.boardColumns}, block, signatures) VALUES (${index.boardParams}, @block, @signatures)
     ON CONFLICT (${index.boardColumns}, block) DO UPDATE SET signatures = excluded.signatures${index.setBlockVersion}`,
    { ...board, block, signatures: writeToBlock(previous?.signatures, items) },
  );
}
