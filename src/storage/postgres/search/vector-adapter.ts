import { randomUUID } from "node:crypto";
import { createBlockCache } from "../../shared/cache/block-cache.ts";
import type { StoredBlock, VectorAdapter } from "../../sql/search/vector-adapter.ts";
import { run } from "../../sql/unit.ts";
import type { Database } from "../engine/database.ts";

const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
/** How long a claim of a tile lasts, in milliseconds. Embedding the tiles of one turn takes a quarter of it. */
const CLAIM_MS = 120_000;
/** Size of the cache of a process: half a million passages of 512 bits. */
const MAX_CACHE_BYTES = 32 * 1_048_576;
/** Blocks read in one statement. */
const BLOCKS_PER_READ = 32;

/** Nodes claim tiles in a table, and cache blocks of embeddings. Each write changes the version of a block. */
export function createVectorAdapter(db: Database): VectorAdapter {
  const node = randomUUID();
  const cache = createBlockCache(MAX_CACHE_BYTES);

  /** Reads blocks, from the cache if it has this version. */
  async function readBatch(businessId: string, board: number, batch: readonly StoredBlock[]): Promise<ReadonlyMap<number, Uint8Array>> {
    const toBlockKey = (block: number): string => `${businessId} ${board} ${block}`;
    const blocks = new Map<number, Uint8Array>();
    for (const { block, version } of batch) {
      const cached = cache.get(toBlockKey(block), version);
      if (cached !== undefined) blocks.set(block, cached);
    }
    const missing = batch.filter(({ block }) => !blocks.has(block)).map(({ block }) => block);
    if (missing.length === 0) return blocks;
    const rows = await db.all<{ block: number; version: number; signatures: Buffer }>(
      "SELECT block, version, signatures FROM passage_block WHERE business_id = $1 AND board_number = $2 AND block = ANY($3)",
      businessId,
      board,
      missing,
    );
    for (const { block, version, signatures } of rows) {
      cache.set(toBlockKey(block), version, signatures);
      blocks.set(block, signatures);
    }
    return blocks;
  }

  return {
    isFree: `NOT EXISTS (SELECT 1 FROM embedding e
      WHERE e.business_id = t.business_id AND e.tile_id = t.id AND e.node <> @node AND e.until > ${NOW})`,
    freeParams: { node },

    claim: ({ businessId, tileId }) =>
      db.write(async (tx) => {
        const rows = await tx.run(
          `INSERT INTO embedding AS e (business_id, tile_id, node, until) VALUES ($1, $2, $3, ${NOW} + ${CLAIM_MS})
           ON CONFLICT (business_id, tile_id) DO UPDATE SET node = excluded.node, until = excluded.until WHERE e.node = $3 OR e.until <= ${NOW}`,
          businessId,
          tileId,
          node,
        );
        return rows > 0;
      }),

    *release({ businessId, tileId }) {
      yield* run("DELETE FROM embedding WHERE business_id = @businessId AND tile_id = @tileId", { businessId, tileId });
    },

    *lockModel() {
      // When nodes start at the same time, the first one deletes the vectors of another model, which may exceed the statement timeout.
      yield* run("LOCK TABLE vector_model IN SHARE ROW EXCLUSIVE MODE");
      yield* run("SET LOCAL statement_timeout = 0");
    },

    async *readBlocks(businessId, board, wanted) {
      for (let from = 0; from < wanted.length; from += BLOCKS_PER_READ) {
        const batch = wanted.slice(from, from + BLOCKS_PER_READ);
        const blocks = await readBatch(businessId, board, batch);
        for (const { block } of batch) {
          const embeddings = blocks.get(block);
          if (embeddings !== undefined) yield { block, embeddings };
        }
      }
    },
  };
}
