/** Keeps blocks of signatures that were read, the least used dropped first, so that they do not travel for every question. */
export type BlockCache = {
  /** The block as it was at this version; undefined where another one or none is held. */
  get(key: string, version: number): Uint8Array | undefined;
  put(key: string, version: number, bytes: Uint8Array): void;
};

/** A cache of at most so many bytes. */
export function createBlockCache(maxBytes: number): BlockCache {
  const held = new Map<string, { readonly version: number; readonly bytes: Uint8Array }>();
  let size = 0;
  const drop = (key: string): void => {
    size -= held.get(key)?.bytes.length ?? 0;
    held.delete(key);
  };
  return {
    get(key, version) {
      const found = held.get(key);
      if (found?.version !== version) return undefined;
      // Put behind all others, which are nearer to being dropped.
      held.delete(key);
      held.set(key, found);
      return found.bytes;
    },
    put(key, version, bytes) {
      drop(key);
      held.set(key, { version, bytes });
      size += bytes.length;
      for (const oldest of held.keys()) {
        if (size <= maxBytes) break;
        drop(oldest);
      }
    },
  };
}
