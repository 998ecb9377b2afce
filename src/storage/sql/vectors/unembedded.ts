import type { UnembeddedTile, VectorStore } from "#domain/answers/vectors.ts";
import { checkEmbeddings } from "../../shared/embedding-block.ts";
import { type BoardRef, createRoundRobin, type QueuedTile } from "../../shared/turns/round-robin.ts";
import type { Dialect, Driver } from "../driver.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { exists, type Unit } from "../unit.ts";
import type { TileClaims } from "../search/adapters.ts";
import { isOfTile } from "../search/board-index.ts";
import { HAS_OWN_VECTORS } from "./reset.ts";
import { type Embedded, type EmbeddedPart, MAX_PASSAGES, splitIntoUnits, storeEmbeddings } from "./writes.ts";

const BOARDS = new Mapping<BoardRef>(plainFields("businessId", "boardId"), "t");
const QUEUED_TILES = new Mapping<QueuedTile>({ ...plainFields("businessId", "boardId", "sequence"), tileId: { column: "id" } }, "t");

/** The condition that a tile `t` has no vectors yet, exactly as in the partial index. */
const IS_UNEMBEDDED = "t.is_embedded = FALSE AND t.is_indexed = TRUE AND t.status = 'ready' AND t.deleted_at IS NULL";

/** Creates the part of the vector store that lists the tiles without vectors, and stores their vectors. */
export function createEmbeddingQueue(
  { dialect, read, write }: Driver,
  claims: TileClaims,
  isOwnModel: () => Unit<boolean>,
): Pick<VectorStore, "unembedded" | "embed"> {
  const scheduler = createRoundRobin();
  const waitingTiles = `tile t${dialect.useIndex("tile_unembedded")} WHERE ${IS_UNEMBEDDED} AND ${claims.isFree}`;
  const tiles = createTileMapping(dialect);

  const waiting = {
    boardAfter: async (board: BoardRef | null) =>
      (await read(() =>
        BOARDS.find(
          `${waitingTiles} AND (t.business_id, t.board_id) > (@businessId, @boardId)
           AND NOT EXISTS (SELECT 1 FROM vector_reset r WHERE r.business_id = t.business_id AND r.board_id = t.board_id)
           ORDER BY t.business_id, t.board_id LIMIT 1`,
          { businessId: board?.businessId ?? "", boardId: board?.boardId ?? "", ...claims.freeParams },
        ),
      )) ?? undefined,
    tilesAfter: ({ businessId, boardId }: BoardRef, sequence: number, limit: number) =>
      read(() =>
        QUEUED_TILES.list(
          `${waitingTiles} AND t.business_id = @businessId AND t.board_id = @boardId AND t.sequence > @sequence ORDER BY t.sequence LIMIT @limit`,
          { businessId, boardId, sequence, limit, ...claims.freeParams },
        ),
      ),
  };

  const findTile = ({ businessId, tileId }: QueuedTile) =>
    tiles.find(`tile t WHERE t.business_id = @businessId AND t.id = @tileId AND ${IS_UNEMBEDDED}`, { businessId, tileId });

  function* storeUnit(group: readonly EmbeddedPart[]): Unit<void> {
    if (!(yield* isOwnModel())) return;
    const { businessId, boardId } = (group[0] as EmbeddedPart).tile;
    if (!(yield* exists(`SELECT 1 WHERE ${HAS_OWN_VECTORS}`, { businessId, boardId }))) return;
    yield* storeEmbeddings(dialect, claims, IS_UNEMBEDDED, group);
  }

  return {
    async unembedded(limit, maxCharacters) {
      if (!(await read(isOwnModel))) return [];
      const found: UnembeddedTile[] = [];
      let characters = 0;
      for (const queued of await scheduler.next(waiting, limit)) {
        const tile = (await claims.claim(queued)) ? await read(() => findTile(queued)) : null;
        scheduler.recordTurn(queued);
        if (tile === null) continue;
        found.push(tile);
        characters += tile.text.length;
        if (characters >= maxCharacters) break;
      }
      return found;
    },

    async embed(items) {
      for (const { embeddings } of items) embeddings.forEach(checkEmbeddings);
      for (const group of Map.groupBy<string, Embedded>(items, ({ tile }) => `${tile.businessId} ${tile.boardId}`).values())
        for (const unit of splitIntoUnits(group, MAX_PASSAGES)) await write(() => storeUnit(unit));
    },
  };
}

type StoredChunk = readonly [document: number, start: number, end: number];

/** Reads text and chunks in one statement, so that they are consistent. */
function createTileMapping(dialect: Dialect): Mapping<UnembeddedTile> {
  const chunk = "'[' || c.document || ',' || c.start_at || ',' || c.end_at || ']'";
  return new Mapping<UnembeddedTile>(
    {
      ...plainFields("businessId", "boardId", "version"),
      tileId: { column: "id" },
      text: { column: "extracted_text" },
      chunks: {
        expression: `(SELECT '[' || string_agg(${chunk}, ',' ORDER BY c.document) || ']' FROM chunk c WHERE ${isOfTile(dialect)})`,
        convert: (stored) =>
          (JSON.parse((stored as string | null) ?? "[]") as StoredChunk[]).map(([document, start, end]) => ({ document, start, end })),
      },
    },
    "t",
  );
}
