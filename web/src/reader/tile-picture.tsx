import type { Tile } from "@tessera/sdk";
import { useState } from "react";
import { pictureOf } from "../api/tiles/pictures.ts";
import { ImageIcon } from "../ui/marks/icons.tsx";
import { isPictureMissing, Picture } from "../ui/pictures/picture.tsx";

/** Kinds whose pictures are made for a wide box; all of a picture is shown of others, such as a record's cover. */
const FILLS: ReadonlySet<string> = new Set(["YOUTUBE", "VIMEO", "LOOM", "TWITCH", "DAILYMOTION", "VIDEO", "WEBSITE"]);

/** A tile's picture, large; nothing where its card has found out that there is none. */
export function TilePicture({ tile }: { readonly tile: Tile }) {
  const address = pictureOf(tile.boardId, tile);
  // Looked up once, so that the text does not jump when it turns out here.
  const [isMissing] = useState(() => address !== null && isPictureMissing(address));
  if (address === null || isMissing) return null;
  return (
    <Picture
      address={address}
      isWhole={!FILLS.has(tile.type)}
      fallback={<ImageIcon className="size-6" />}
      className="aspect-video max-h-40 w-full shrink-0 rounded-lg sm:max-h-72"
    />
  );
}
