import { createBlockCache } from "../../shared/cache/block-cache.ts";
import type { EmbeddingBlock } from "../../shared/embedding-block.ts";
import type { Driver } from "../driver.ts";
import { Mapping, plainFields } from "../mapping.ts";
import { isOfBoard } from "../search/board-index.ts";

/** A block of vectors of the board with this number. Each write changes the version. */
export type StoredBlock = { readonly number: number; readonly block: number; readonly version: number };

/** Size of the cache of a process: half a million passages of 512 bits. */
const MAX_CACHE_BYTES = 32 * 1_048_576;
/** Blocks read in one statement, of at most 128 KiB each for vectors of 512 bits. */
export const BLOCKS_PER_READ = 32;

const BLOCKS = new Mapping<EmbeddingBlock & Pick<StoredBlock, "block" | "version">>({
  ...plainFields("block", "version", "width"),
  bytes: { column: "embeddings" },
});

/** Returns the function that reads blocks of one board in the requested order, from a cache where it has their version. Missing blocks are skipped. */
export function createBlockReader({ dialect, read }: Driver) {
  const cache = createBlockCache(MAX_CACHE_BYTES);
  const ofBoard = `passage_block WHERE ${isOfBoard(dialect)} AND ${dialect.isAnyOf("block", "blocks")}`;

  async function readBatch(businessId: string, batch: readonly StoredBlock[]): Promise<ReadonlyMap<number, EmbeddingBlock>> {
    const number = batch[0]?.number ?? 0;
    const toBlockKey = (block: number): string => `${businessId} ${number} ${block}`;
    const found = new Map<number, EmbeddingBlock>();
    for (const { block, version } of batch) {
      const cached = cache.get(toBlockKey(block), version);
      if (cached !== undefined) found.set(block, cached);
    }
    const blocks = batch.map(({ block }) => block).filter((block) => !found.has(block));
    if (blocks.length === 0) return found;
    for (const { block, version, ...embeddings } of await read(() => BLOCKS.list(ofBoard, { businessId, number, blocks }))) {
      cache.set(toBlockKey(block), version, embeddings);
      found.set(block, embeddings);
    }
    return found;
  }

  return async function* (businessId: string, wanted: readonly StoredBlock[]) {
    for (let from = 0; from < wanted.length; from += BLOCKS_PER_READ) {
      const batch = wanted.slice(from, from + BLOCKS_PER_READ);
      const blocks = await readBatch(businessId, batch);
      for (const { block } of batch) {
        const embeddings = blocks.get(block);
        if (embeddings !== undefined) yield { block, embeddings };
      }
    }
  };
}
