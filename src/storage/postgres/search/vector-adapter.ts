import { createBlockCache } from "../../shared/cache/block-cache.ts";
import type { EmbeddingBlock } from "../../shared/embedding-block.ts";
import type { TileClaims } from "../../sql/search/tile-claims.ts";
import type { StoredBlock, VectorAdapter } from "../../sql/search/vector-adapter.ts";
import { run } from "../../sql/unit.ts";
import type { Database } from "../engine/database.ts";
import type { NotificationBus } from "../engine/notification-bus.ts";

/** Size of the cache of a process: half a million passages of 512 bits. */
const MAX_CACHE_BYTES = 32 * 1_048_576;
/** Blocks read in one statement. */
const BLOCKS_PER_READ = 32;

const LOCK_MODEL = "LOCK TABLE vector_model IN SHARE ROW EXCLUSIVE MODE";
/** The kind of the advisory locks by which nodes claim their model: an arbitrary unique number. */
const MODEL_CLAIM = 826_401_741;

/** Nodes cache blocks of embeddings. Each write changes the version of a block. */
export function createVectorAdapter(db: Database, claims: TileClaims, bus: Pick<NotificationBus, "claim">): VectorAdapter {
  const cache = createBlockCache(MAX_CACHE_BYTES);

  /** Reads blocks, from the cache if it has this version. */
  async function readBatch(businessId: string, board: number, batch: readonly StoredBlock[]): Promise<ReadonlyMap<number, EmbeddingBlock>> {
    const toBlockKey = (block: number): string => `${businessId} ${board} ${block}`;
    const blocks = new Map<number, EmbeddingBlock>();
    for (const { block, version } of batch) {
      const cached = cache.get(toBlockKey(block), version);
      if (cached !== undefined) blocks.set(block, cached);
    }
    const missing = batch.filter(({ block }) => !blocks.has(block)).map(({ block }) => block);
    if (missing.length === 0) return blocks;
    const rows = await db.all<{ block: number; version: number; width: number; bytes: Buffer }>(
      "SELECT block, version, width, signatures AS bytes FROM passage_block WHERE business_id = @businessId AND board_number = @board AND block = ANY(@missing)",
      { businessId, board, missing },
    );
    for (const { block, version, width, bytes } of rows) {
      const embeddings = { width, bytes };
      cache.set(toBlockKey(block), version, embeddings);
      blocks.set(block, embeddings);
    }
    return blocks;
  }

  return {
    ...claims,

    *lockModel() {
      yield* run(LOCK_MODEL);
    },

    // The lock serialises the claims of all nodes.
    claimModel: (model) =>
      db.write(async (tx) => {
        await tx.run(LOCK_MODEL);
        return bus.claim(MODEL_CLAIM, model ?? "");
      }),

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
