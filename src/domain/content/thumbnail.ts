/** Pictures that browsers show and that carry no script. */
export const PICTURE_TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

export type Picture = { readonly mediaType: PictureType; readonly body: Uint8Array };

/** What a picture's own bytes say of it; `pixels` counts those of all its frames. */
export type PictureHead = { readonly mediaType: PictureType; readonly pixels: number };

/** The largest picture that is kept or shown, in bytes. */
export const MAX_PICTURE_BYTES = 1_048_576;
/** A picture of more pixels can be small to send and fill a browser's memory. */
export const MAX_PIXELS = 40_000_000;

/** What an address answered when it was last asked; without a picture, that none was to be had there. */
export type KeptThumbnail = { readonly sourceUrl: string; readonly picture: Picture | null; readonly fetchedAt: number };

/** How many pictures are kept, and how many bytes of them in all. */
export type ThumbnailBounds = { readonly rows: number; readonly bytes: number };

/** A cache of the pictures of tiles, one a tile: what is lost of it is fetched again. It goes with the tile at a purge. */
export interface ThumbnailStore {
  find(businessId: string, tileId: string): Promise<KeptThumbnail | null>;
  /** Takes the place of what was kept for the tile before. */
  keep(businessId: string, tileId: string, thumbnail: KeptThumbnail): Promise<void>;
  /** Forgets the oldest, of whatever business, until the rest is within bounds; answers how many went. */
  trim(most: ThumbnailBounds): Promise<number>;
}
