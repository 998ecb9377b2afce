import type { Tile } from "@tessera-board/sdk";
import { useState } from "react";
import { getThumbnailUrl } from "../api/tiles/thumbnails.ts";
import { ImageIcon } from "../ui/icons/icons.ts";
import { isImageMissing, LazyImage } from "../ui/images/lazy-image.tsx";

/** Kinds with wide images, which fill the box; others, such as album covers, are shown completely. */
const WIDE_KINDS: ReadonlySet<string> = new Set(["YOUTUBE", "VIMEO", "LOOM", "TWITCH", "DAILYMOTION", "VIDEO", "WEBSITE"]);

/** The large thumbnail of a tile; nothing if its card found the image missing. */
export function TileThumbnail({ tile }: { readonly tile: Tile }) {
  const address = getThumbnailUrl(tile.boardId, tile);
  // Checked once, so that the text does not jump if the image turns out to be missing here.
  const [isMissing] = useState(() => address !== null && isImageMissing(address));
  if (address === null || isMissing) return null;
  return (
    <LazyImage
      address={address}
      isWhole={!WIDE_KINDS.has(tile.type)}
      fallback={<ImageIcon className="size-6" />}
      className="aspect-video max-h-40 w-full shrink-0 rounded-lg sm:max-h-72"
    />
  );
}
