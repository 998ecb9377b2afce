import type { TileSummary } from "@tessera/sdk";
import { tessera } from "../client/client.ts";

/**
 * Where a tile's picture is on our own server; null for a tile that has none, so that nobody asks. Uploaded pictures are their own.
 * Another picture has another address, since browsers keep one for a day.
 */
export function getThumbnailUrl(
  boardId: string,
  { id, type, sourceUrl, metadata }: Pick<TileSummary, "id" | "type" | "sourceUrl" | "metadata">,
) {
  const source = metadata?.thumbnailUrl ?? (type === "IMAGE" && sourceUrl === null ? "" : null);
  return source === null ? null : tessera.tiles.pictureAddress(boardId, id, source === "" ? undefined : shortHash(source));
}

/** FNV-1a over UTF-16 code units; two addresses of one tile that share it are one in four thousand million. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}
