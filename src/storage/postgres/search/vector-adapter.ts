import { randomUUID } from "node:crypto";
import { createBlockCache } from "../../shared/cache/block-cache.ts";
import type { StoredBlock, VectorAdapter } from "../../sql/search/vectors.ts";
import { run } from "../../sql/unit.ts";
import type { Database } from "../engine/database.ts";

const NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
/** How long a tile belongs to the process that claimed it, in milliseconds; a turn's work takes a quarter of it. */
const CLAIM_MS = 120_000;
/** Blocks of signatures cached by one process: half a million passages of 512 bits. */
const MAX_CACHE_BYTES = 32 * 1_048_576;
/** Blocks read by one statement. */
const BLOCKS_PER_READ = 32;

/** Nodes claim tiles in a table, and cache blocks of signatures by the version that each write gives them. */
export function createVectorAdapter(db: Database): VectorAdapter {
  const node = randomUUID();
  const cache = createBlockCache(MAX_CACHE_BYTES);

  /** Some blocks as they are stored now, from the cache where it has this version. */
  async function readBatch(businessId: string, board: number, batch: readonly StoredBlock[]): Promise<ReadonlyMap<number, Uint8Array>> {
    const keyOf = (block: number): string => `${businessId} ${board} ${block}`;
    const found = new Map<number, Uint8Array>();
    for (const { block, version } of batch) {
      const cached = cache.get(keyOf(block), version);
      if (cached !== undefined) found.set(block, cached);
    }
    const missing = batch.filter(({ block }) => !found.has(block)).map(({ block }) => block);
    if (missing.length === 0) return found;
    const rows = await db.all<{ block: number; version: number; signatures: Buffer }>(
      "SELECT block, version, signatures FROM passage_block WHERE business_id = $1 AND board_number = $2 AND block = ANY($3)",
      businessId,
      board,
      missing,
    );
    for (const { block, version, signatures } of rows) {
      cache.set(keyOf(block), version, signatures);
      found.set(block, signatures);
    }
    return found;
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
      // Of several nodes that start together, the first deletes the vectors of another model. That may take longer than a statement
      // usually may.
      yield* run("LOCK TABLE vector_model IN SHARE ROW EXCLUSIVE MODE");
      yield* run("SET LOCAL statement_timeout = 0");
    },

    async *readBlocks(businessId, board, wanted) {
      for (let from = 0; from < wanted.length; from += BLOCKS_PER_READ) {
        const batch = wanted.slice(from, from + BLOCKS_PER_READ);
        const blocks = await readBatch(businessId, board, batch);
        for (const { block } of batch) {
          const signatures = blocks.get(block);
          if (signatures !== undefined) yield { block, signatures };
        }
      }
    },
  };
}
