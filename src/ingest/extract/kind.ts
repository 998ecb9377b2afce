import type { TileType } from "#domain/content/tile.ts";

/** The kind of a link, detected from its address. The id is the site's own, such as that of a video or a post. */
export type LinkKind = { readonly type: TileType; readonly subtype?: string; readonly id?: string };

/** Names of the icons that the page shows for types of tiles. */
export type TileIcon = "text" | "page" | "code" | "feed" | "video" | "audio" | "social" | "document" | "image";

/** How a type of tile is presented by the page and in docs/links.md. */
export type TileKind = {
  readonly type: TileType;
  /** Its name on the page. */
  readonly label: string;
  readonly icon: TileIcon;
  /** The content that becomes the tile's text, for the table in docs/links.md. */
  readonly text: string;
};
