import { TextDecoder } from "@exodus/bytes/encoding.js";
import { Parser } from "htmlparser2";
import { unreadableError } from "../errors.ts";

export type Attributes = Readonly<Record<string, string>>;

/** What is told of a document while it is read; names are without their prefixes. */
export type XmlHandler = {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
  /** Whether the rest is not wanted any more. */
  readonly isFull?: () => boolean;
};

/** Deeper trees cost the parser its depth for each element, and no document is so deep. */
const MAX_DEPTH = 512;
const STEP_BYTES = 256 * 1024;
/** Of one document's words no more is told: 32 times what a tile keeps. */
const MAX_CHARACTERS = 32_000_000;

/** Ends the reading before the end of the document. */
class Enough extends Error {}

export const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

/** The attribute of that name, whatever its prefix; null where there is none. */
export function attributeOf(attributes: Attributes, name: string): string | null {
  if (Object.hasOwn(attributes, name)) return attributes[name] ?? null;
  const key = Object.keys(attributes).find((each) => each.endsWith(`:${name}`));
  return key === undefined ? null : (attributes[key] ?? null);
}

/** The number of a whole, not negative attribute, at most `most`; `otherwise` where there is none. */
export function countOf(attributes: Attributes, name: string, otherwise: number, most: number): number {
  const value = Number.parseInt(attributeOf(attributes, name) ?? "", 10);
  return Number.isFinite(value) && value >= 0 ? Math.min(value, most) : otherwise;
}

/** The encoding by the mark or the declaration (XML 1.0, appendix F). */
function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).toString("latin1");
  const declared = /^[^>]{0,80}encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1] ?? "utf-8";
  // A document that can be read so far is not one of 16 bits, whatever it says.
  return /^utf-?16/i.test(declared) ? "utf-8" : declared;
}

function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding);
  } catch {
    return new TextDecoder("utf-8");
  }
}

/** Bytes of an XML or XHTML document as text. */
export const decodeXml = (bytes: Uint8Array): string => decoderOf(encodingOf(bytes)).decode(bytes);

/**
 * Reads an XML 1.0 document in one pass. Only the five entities and character references are put in: a document type is passed
 * over, so there is nothing of its own to expand. Throws `IngestError` `unreadable_file` where it nests too deeply.
 */
export function readXml(bytes: Uint8Array, handler: XmlHandler): void {
  const open = { depth: 0, characters: 0 };
  const stopWhenFull = (): void => {
    if (handler.isFull?.()) throw new Enough();
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++open.depth > MAX_DEPTH) throw unreadableError();
        handler.open?.(localName(name), attributes);
      },
      onclosetag(name) {
        open.depth--;
        handler.close?.(localName(name));
        stopWhenFull();
      },
      ontext(text) {
        open.characters += text.length;
        if (open.characters > MAX_CHARACTERS) throw new Enough();
        handler.text?.(text);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const decoder = decoderOf(encodingOf(bytes));
  try {
    for (let at = 0; at < bytes.length; at += STEP_BYTES) {
      parser.write(decoder.decode(bytes.subarray(at, at + STEP_BYTES), { stream: true }));
    }
    parser.end(decoder.decode());
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
}
