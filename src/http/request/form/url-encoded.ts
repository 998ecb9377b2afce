import { type AppError, invalid } from "#domain/core/errors/error.ts";
import { FormFieldCollector, type FormFields } from "./form-fields.ts";

/** More fields than any route uses. Very many would block the event loop. */
export const MAX_FIELDS = 1_000;

const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

export const tooManyFields = (): AppError =>
  invalid(`The form has too many fields. The maximum is ${MAX_FIELDS.toLocaleString("en")}.`, "body_invalid");

/**
 * Parses fields of application/x-www-form-urlencoded (WHATWG URL, section 5.1). Each byte is read once: `URLSearchParams` and Busboy block the event loop for seconds if a field has millions of `+` or `%41`.
 */
export function readUrlEncoded(body: Buffer): FormFields {
  const collector = new FormFieldCollector();
  let count = 0;
  for (let start = 0; start < body.length;) {
    if (++count > MAX_FIELDS) throw tooManyFields();
    const end = indexOrEnd(body, AMPERSAND, start);
    const field = body.subarray(start, end);
    const equals = indexOrEnd(field, EQUALS, 0);
    if (field.length > 0) collector.add(decode(field.subarray(0, equals)), decode(field.subarray(equals + 1)));
    start = end + 1;
  }
  return collector.fields();
}

function indexOrEnd(bytes: Buffer, byte: number, from: number): number {
  const index = bytes.indexOf(byte, from);
  return index < 0 ? bytes.length : index;
}

/** Decodes `+` and percent-encoded bytes, then UTF-8. What is not encoded correctly stays as it is. */
function decode(bytes: Buffer): string {
  if (!bytes.includes(PERCENT) && !bytes.includes(PLUS)) return bytes.toString("utf8");
  const decoded = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at] as number;
    if (byte === PLUS) byte = SPACE;
    else if (byte === PERCENT) {
      const value = readHexDigit(bytes[at + 1]) * 16 + readHexDigit(bytes[at + 2]);
      if (!Number.isNaN(value)) {
        byte = value;
        at += 2;
      }
    }
    decoded[length++] = byte;
  }
  return decoded.toString("utf8", 0, length);
}

/** Returns the value of a hexadecimal digit, otherwise NaN. */
function readHexDigit(byte: number | undefined): number {
  if (byte === undefined) return NaN;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : NaN;
}
