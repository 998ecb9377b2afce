import { LRUCache } from "lru-cache";
import type { EmbeddingBlock } from "../embedding-block.ts";

/**
 * Tuning (decision 14: 12 ms for 150,000 passages instead of 158): caches blocks of embeddings, so that the database does not send them
 * for every question. The least recently used blocks are evicted first.
 */
export type BlockCache = {
  /** Returns the block if this version of it is cached. */
  get(key: string, version: number): EmbeddingBlock | undefined;
  set(key: string, version: number, block: EmbeddingBlock): void;
};

/** Memory for each block besides its bytes: key, objects and map entry. */
const OVERHEAD_BYTES = 512;

/** Creates a cache of at most `maxBytes`. */
export function createBlockCache(maxBytes: number): BlockCache {
  const blocks = new LRUCache<string, { readonly version: number; readonly block: EmbeddingBlock }>({ maxSize: maxBytes });
  return {
    get(key, version) {
      const cached = blocks.peek(key);
      return cached?.version === version ? blocks.get(key)?.block : undefined;
    },
    set: (key, version, block) => void blocks.set(key, { version, block }, { size: block.bytes.length + OVERHEAD_BYTES }),
  };
}
