/** Image types that browsers display and that can't contain scripts. */
export const PICTURE_TYPES = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

export type Picture = { readonly mediaType: PictureType; readonly body: Uint8Array };

/** The header of a picture; `pixels` is the sum over all frames. */
export type PictureHead = { readonly mediaType: PictureType; readonly pixels: number };

/** Maximum size of a thumbnail, in bytes. */
export const MAX_PICTURE_BYTES = 1_048_576;
/** Maximum number of pixels. A small file with more pixels could exhaust a browser's memory. */
export const MAX_PIXELS = 40_000_000;

/** The cached result of the last fetch; a null picture means that there was none. */
export type CachedThumbnail = { readonly sourceUrl: string; readonly picture: Picture | null; readonly fetchedAt: number };

/** What one business may have in the cache: the number of thumbnails, missing ones counted, and their total size in bytes. */
export type ThumbnailShare = { readonly rows: number; readonly bytes: number };

/** A cache with one thumbnail per tile. Purging a tile deletes its entry. */
export interface ThumbnailStore {
  get(businessId: string, tileId: string): Promise<CachedThumbnail | null>;
  /** Stores the thumbnail and replaces a previous one. Beyond the share of the business, its oldest other thumbnails are deleted. */
  set(businessId: string, tileId: string, thumbnail: CachedThumbnail, share: ThumbnailShare): Promise<void>;
}
