import { type CachedThumbnail, PICTURE_TYPES } from "#domain/content/thumbnail.ts";

export type ThumbnailRow = {
  readonly source_url: string;
  readonly media_type: string | null;
  readonly body: Buffer | null;
  readonly fetched_at: number;
};

/** A media type that is not known here counts as no picture, since it becomes a header. */
export function thumbnailOf({ source_url: sourceUrl, media_type, body, fetched_at: fetchedAt }: ThumbnailRow): CachedThumbnail {
  const mediaType = PICTURE_TYPES.find((type) => type === media_type);
  return { sourceUrl, picture: mediaType === undefined || body === null ? null : { mediaType, body }, fetchedAt };
}

export const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
