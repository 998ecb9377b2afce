import { LRUCache } from "lru-cache";

/** Tuning (decision 14: 12 ms for 150,000 passages instead of 158): caches blocks of signatures, so that they are not sent by the database for every question; the least recently used are dropped first. */
export type BlockCache = {
  /** The block as it was at this version; undefined where another one or none is cached. */
  get(key: string, version: number): Uint8Array | undefined;
  set(key: string, version: number, bytes: Uint8Array): void;
};

/** What a block costs beside its bytes: key, objects and an entry of the map. */
const OVERHEAD_BYTES = 512;

/** A cache of at most so many bytes. */
export function createBlockCache(maxBytes: number): BlockCache {
  const blocks = new LRUCache<string, { readonly version: number; readonly bytes: Uint8Array }>({ maxSize: maxBytes });
  return {
    get(key, version) {
      const found = blocks.peek(key);
      return found?.version === version ? blocks.get(key)?.bytes : undefined;
    },
    set: (key, version, bytes) => void blocks.set(key, { version, bytes }, { size: bytes.length + OVERHEAD_BYTES }),
  };
}
