import { LRUCache } from "lru-cache";

/** Keeps blocks of signatures that were read, the least used dropped first, so that they do not travel for every question. */
export type BlockCache = {
  /** The block as it was at this version; undefined where another one or none is held. */
  get(key: string, version: number): Uint8Array | undefined;
  put(key: string, version: number, bytes: Uint8Array): void;
};

/** What a block takes beside its bytes: key, objects and a place in the map. */
const OVERHEAD_BYTES = 512;

/** A cache of at most so many bytes. */
export function createBlockCache(maxBytes: number): BlockCache {
  const held = new LRUCache<string, { readonly version: number; readonly bytes: Uint8Array }>({ maxSize: maxBytes });
  return {
    get(key, version) {
      const found = held.peek(key);
      return found?.version === version ? held.get(key)?.bytes : undefined;
    },
    put: (key, version, bytes) => void held.set(key, { version, bytes }, { size: bytes.length + OVERHEAD_BYTES }),
  };
}
