import type { Tile } from "@tessera/sdk";
import { useState } from "react";
import { getThumbnailUrl } from "../api/tiles/thumbnails.ts";
import { ImageIcon } from "../ui/icons/icons.tsx";
import { isImageMissing, LazyImage } from "../ui/images/lazy-image.tsx";

/** Kinds whose pictures are made for a wide box; all of a picture is shown of others, such as a record's cover. */
const WIDE_KINDS: ReadonlySet<string> = new Set(["YOUTUBE", "VIMEO", "LOOM", "TWITCH", "DAILYMOTION", "VIDEO", "WEBSITE"]);

/** A tile's picture, large; nothing where its card has found out that there is none. */
export function TileThumbnail({ tile }: { readonly tile: Tile }) {
  const address = getThumbnailUrl(tile.boardId, tile);
  // Looked up once, so that the text does not jump when it turns out here.
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
