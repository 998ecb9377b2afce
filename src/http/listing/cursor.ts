import { createHmac, timingSafeEqual } from "node:crypto";
import { invalidField } from "#domain/core/errors/error.ts";

/** A keyset cursor: the sort columns of the last row of a page. */
export type KeysetPosition = readonly (string | number)[];

export type CursorCodec = {
  /** `listing` identifies the listing (board, order, filters): a cursor is valid only there. */
  write(listing: string, position: KeysetPosition): string;
  /** Throws 400 for a forged cursor and for a cursor of another listing. */
  read(listing: string, cursor: string): KeysetPosition;
};

const TAG_BYTES = 12;

/** Creates the codec of cursors, which are opaque and signed: base64url of a 12-byte HMAC-SHA256 tag and the position as JSON. */
export function createCursorCodec(secretKey: string): CursorCodec {
  const computeTag = (listing: string, data: Buffer): Buffer =>
    createHmac("sha256", secretKey).update(`cursor\n${listing}\n`).update(data).digest().subarray(0, TAG_BYTES);
  return {
    write(listing, position) {
      const data = Buffer.from(JSON.stringify(position));
      return Buffer.concat([computeTag(listing, data), data]).toString("base64url");
    },
    read(listing, cursor) {
      const bytes = Buffer.from(cursor, "base64url");
      const data = bytes.subarray(TAG_BYTES);
      // Decoding ignores invalid characters, so the cursor must also encode to the same text.
      const isCanonical = bytes.length > TAG_BYTES && bytes.toString("base64url") === cursor;
      if (!isCanonical || !timingSafeEqual(bytes.subarray(0, TAG_BYTES), computeTag(listing, data))) {
        throw invalidField("cursor", "is not valid.", "cursor_invalid");
      }
      return JSON.parse(data.toString("utf8")) as KeysetPosition;
    },
  };
}
