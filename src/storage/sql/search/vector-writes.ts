import type { PassageSignatures, UnembeddedTile } from "#domain/answers/vectors.ts";
import { blockOf, putIntoBlock } from "../../shared/signatures.ts";
import type { Dialect } from "../driver.ts";
import { get, run, type Unit } from "../unit.ts";
import { type BoardNumber, readBoardNumber } from "./index.ts";

export type Embedded = { readonly tile: UnembeddedTile; readonly signatures: readonly PassageSignatures[] };
type Claims = { release(tile: UnembeddedTile): Unit<void> };

/** Stores the signatures of tiles of one board that are still as they were read; `isWaiting` is a condition on the tile `t`. */
export function* storeSignatures(dialect: Dialect, claims: Claims, isWaiting: string, group: readonly Embedded[]): Unit<void> {
  const { businessId, boardId } = (group[0] as Embedded).tile;
  const board = yield* readBoardNumber(businessId, boardId);
  if (board === undefined) return;
  const stored: PassageSignatures[] = [];
  // Locked in the order of their ids, as every writer of several tiles does.
  for (const { tile, signatures } of [...group].sort((a, b) => (a.tile.tileId < b.tile.tileId ? -1 : 1))) {
    const isStored = yield* markEmbedded(dialect, board, isWaiting, tile);
    yield* claims.release(tile);
    if (isStored) stored.push(...signatures);
  }
  if (stored.length === 0) return;
  yield* dialect.index.lock(board);
  yield* storeSentences(dialect, board, stored);
  for (const [block, items] of Map.groupBy(stored, ({ document }) => blockOf(document))) yield* storePassages(dialect, board, block, items);
}

/** Marks a tile as embedded where its passages are still those that were read: what is indexed anew gets other documents. */
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

function* storeSentences(dialect: Dialect, board: BoardNumber, signatures: readonly PassageSignatures[]): Unit<void> {
  const rows = signatures.map(({ document, sentences }) => ({
    document,
    sentences: Buffer.from(sentences.buffer, sentences.byteOffset, sentences.length).toString("hex"),
  }));
  yield* run(
    // Materialized, since SQLite would else go through all chunks of the board, and for each through the rows.
    `WITH made AS MATERIALIZED (SELECT document, sentences FROM ${dialect.rowsOfJson("rows", { document: "bigint", sentences: "text" })} AS r)
     UPDATE chunk SET sentence_signatures = ${dialect.index.fromHex("made.sentences")} FROM made
     WHERE ${dialect.index.isOfBoard("chunk")} AND chunk.document IN (SELECT document FROM made) AND chunk.document = made.document`,
    { ...board, rows: JSON.stringify(rows) },
  );
}

function* storePassages(dialect: Dialect, board: BoardNumber, block: number, items: readonly PassageSignatures[]): Unit<void> {
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
    { ...board, block, signatures: putIntoBlock(previous?.signatures, items) },
  );
}
