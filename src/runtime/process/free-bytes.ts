/** Freeing fewer bytes is not worth the call. */
const MIN_FREED_BYTES = 262_144;

/**
 * Frees many bytes at once, which otherwise stay in memory until the next collection of garbage. They can't be used afterwards. Does
 * nothing to bytes that are part of a longer buffer.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (byteLength >= MIN_FREED_BYTES && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
