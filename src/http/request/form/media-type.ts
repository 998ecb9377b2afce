import { type ContentType, isTypeValid, parse } from "content-type";

/** Parses a Content-Type header (RFC 9110, section 8.3); the type is in lower case. Returns null without a valid one. */
export function readMediaType(header: string | undefined): ContentType | null {
  if (header === undefined) return null;
  const mediaType = parse(header);
  return isTypeValid(mediaType.type) ? mediaType : null;
}
