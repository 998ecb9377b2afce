import { TextDecoder } from "@exodus/bytes/encoding.js";
import { Parser } from "htmlparser2";
import { tooLargeError, unreadableError } from "../errors.ts";

/** The bytes of a document, in pieces of any size. */
export type Pieces = Iterable<Uint8Array>;

export type Attributes = Readonly<Record<string, string>>;

/** Callbacks for the parts of a document. Names come without namespace prefix. */
export type XmlHandler = {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
  /** Whether to stop reading. */
  readonly isFull?: () => boolean;
};

/** The parser's time for each element grows with the depth. Real documents are less deep than this. */
const MAX_DEPTH = 512;
const CHUNK_BYTES = 256 * 1024;
/** Reading stops after this much text: 32 times the maximum of a tile. */
const MAX_CHARACTERS = 32_000_000;

/** The parser holds a tag, comment or declaration until its end. Real ones are shorter, those with a picture in an attribute included. */
const MAX_MARKUP_CHARACTERS = 8_000_000;

/** Thrown to stop the parser before the end of the document. */
class StopParsingError extends Error {}

export const getLocalName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** Returns the attribute of that name with any namespace prefix, or null. */
export function getAttribute(attributes: Attributes, name: string): string | null {
  if (Object.hasOwn(attributes, name)) return attributes[name] ?? null;
  const key = Object.keys(attributes).find((each) => each.endsWith(`:${name}`));
  return key === undefined ? null : (attributes[key] ?? null);
}

/** Returns the value of a non-negative integer attribute, at most `max`, or `defaultValue` if it is missing or invalid. */
export function getCount(attributes: Attributes, name: string, defaultValue: number, max: number): number {
  const value = Number.parseInt(getAttribute(attributes, name) ?? "", 10);
  return Number.isFinite(value) && value >= 0 ? Math.min(value, max) : defaultValue;
}

/** Detects the encoding of a document by its first bytes: the byte order mark or the declaration (XML 1.0, appendix F). */
function detectEncoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).toString("latin1");
  const declared = /^[^>]{0,80}encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1] ?? "utf-8";
  // The declaration was read as single bytes, so the document is not UTF-16, even if it declares that.
  return /^utf-?16/i.test(declared) ? "utf-8" : declared;
}

function createDecoder(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder("utf-8");
  }
}

/** Decodes an XML or XHTML document, in pieces of text. */
function* decodeInPieces(document: Pieces): Generator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for (const piece of document) {
    decoder ??= createDecoder(detectEncoding(piece));
    for (let at = 0; at < piece.length; at += CHUNK_BYTES) yield decoder.decode(piece.subarray(at, at + CHUNK_BYTES), { stream: true });
  }
  if (decoder !== null) yield decoder.decode();
}

/** Decodes an XML or XHTML document, up to at least this many characters. */
export function decodeXml(document: Pieces, maxCharacters: number): string {
  let text = "";
  for (const piece of decodeInPieces(document)) {
    text += piece;
    if (text.length >= maxCharacters) break;
  }
  return text;
}

/**
 * Reads an XML 1.0 document in one pass. Only the five predefined entities and character references are expanded: document types, with
 * the entities that they declare, are ignored. Throws `IngestError` `unreadable_file` if elements are nested too deeply, and `too_large` if
 * a tag is too long.
 */
export function readXml(document: Pieces, handler: XmlHandler): void {
  const state = { depth: 0, characters: 0, markup: 0 };
  const stopWhenFull = (): void => {
    if (handler.isFull?.()) throw new StopParsingError();
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        state.markup = 0;
        if (++state.depth > MAX_DEPTH) throw unreadableError();
        handler.open?.(getLocalName(name), attributes);
      },
      onclosetag(name) {
        state.markup = 0;
        state.depth--;
        handler.close?.(getLocalName(name));
        stopWhenFull();
      },
      ontext(text) {
        state.markup = 0;
        state.characters += text.length;
        if (state.characters > MAX_CHARACTERS) throw new StopParsingError();
        handler.text?.(text);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  try {
    for (const text of decodeInPieces(document)) {
      state.markup += text.length;
      if (state.markup > MAX_MARKUP_CHARACTERS) throw tooLargeError("The file has a tag of more than 8,000,000 characters.");
      parser.write(text);
    }
    parser.end();
  } catch (error) {
    if (!(error instanceof StopParsingError)) throw error;
  }
}
