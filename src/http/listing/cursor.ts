import { createHmac, timingSafeEqual } from "node:crypto";
import { invalid } from "#domain/core/error.ts";

/** Where a listing goes on: the ordering columns of the last row shown. */
export type KeysetPosition = readonly (string | number)[];

export type CursorCodec = {
  /** `listing` names what is listed (board, order, filters), so that a cursor opens only there. */
  write(listing: string, place: KeysetPosition): string;
  /** 400 for a cursor that is not ours, or another listing's. */
  read(listing: string, cursor: string): KeysetPosition;
};

const TAG_BYTES = 12;

/** CursorCodec are opaque and sealed: base64url of a 12-byte HMAC-SHA256 tag and the place as JSON. */
export function createCursorCodec(secretKey: string): CursorCodec {
  const tagOf = (listing: string, data: Buffer): Buffer =>
    createHmac("sha256", secretKey).update(`cursor\n${listing}\n`).update(data).digest().subarray(0, TAG_BYTES);
  return {
    write(listing, place) {
      const data = Buffer.from(JSON.stringify(place));
      return Buffer.concat([tagOf(listing, data), data]).toString("base64url");
    },
    read(listing, cursor) {
      const bytes = Buffer.from(cursor, "base64url");
      const data = bytes.subarray(TAG_BYTES);
      // Decoding forgives stray characters; a cursor that is not written exactly as we write it is not ours.
      const isOurs = bytes.length > TAG_BYTES && bytes.toString("base64url") === cursor;
      if (!isOurs || !timingSafeEqual(bytes.subarray(0, TAG_BYTES), tagOf(listing, data))) {
        throw invalid("cursor is not valid.");
      }
      return JSON.parse(data.toString("utf8")) as KeysetPosition;
    },
  };
}
