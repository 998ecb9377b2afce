import type { TileSummary } from "@tessera-board/sdk";
import { tessera } from "../client/client.ts";

/**
 * The URL of a tile's thumbnail on this server, or null if it has none. An uploaded image is its own thumbnail. The URL changes with the
 * source image, because browsers cache a thumbnail for a day.
 */
export function getThumbnailUrl(
  boardId: string,
  { id, type, sourceUrl, metadata }: Pick<TileSummary, "id" | "type" | "sourceUrl" | "metadata">,
) {
  const source = metadata?.thumbnailUrl ?? (type === "IMAGE" && sourceUrl === null ? "" : null);
  return source === null ? null : tessera.tiles.thumbnailUrl(boardId, id, source === "" ? undefined : shortHash(source));
}

/** FNV-1a over UTF-16 code units; two URLs of one tile collide with a probability of 1 in 2^32. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
