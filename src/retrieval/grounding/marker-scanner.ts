import type { VerifiedCitations, CitationMark } from "./verified-citations.ts";
import { readMarker } from "./marker.ts";
import { PLACEHOLDER } from "./render.ts";

/** Longer brackets are not a marker, and are removed. */
const MAX_MARKER_LENGTH = 1_000;

/** Replaces citation markers in streamed text with placeholders, and verifies them. Text that may be part of a marker is held back. */
export class MarkerScanner {
  readonly #citations: VerifiedCitations;
  #buffer = "";
  /** Inside an overlong marker, up to its end. */
  #isSkipping = false;
  #text = "";
  #marks: CitationMark[] = [];

  constructor(citations: VerifiedCitations) {
    this.#citations = citations;
  }

  /** Reads the next chunk; at the end of the stream an incomplete marker is dropped. Returns one mark for each placeholder. */
  read(chunk: string, isEnd: boolean): { readonly text: string; readonly marks: readonly CitationMark[] } {
    this.#buffer += chunk;
    this.#text = "";
    this.#marks = [];
    let at = 0;
    while (at < this.#buffer.length) {
      const next = this.#isSkipping ? this.#skip(at) : this.#buffer.charAt(at) === "[" ? this.#readBracket(at) : this.#copyText(at);
      if (next === null) {
        if (isEnd) at = this.#buffer.length;
        break;
      }
      at = next;
    }
    this.#buffer = this.#buffer.slice(at);
    return { text: this.#text, marks: this.#marks };
  }

  #skip(at: number): number {
    const end = /[\]\n]/.exec(this.#buffer.slice(at));
    if (end === null) return this.#buffer.length;
    this.#isSkipping = false;
    return at + end.index + 1;
  }

  #copyText(at: number): number {
    const open = this.#buffer.indexOf("[", at);
    const end = open < 0 ? this.#buffer.length : open;
    this.#text += this.#buffer.slice(at, end);
    return end;
  }

  /** Returns the offset after the bracket or its marker; null if more text is needed. */
  #readBracket(open: number): number | null {
    const marker = readMarker(this.#buffer, open);
    if (marker.kind === "text") {
      this.#text += "[";
      return open + 1;
    }
    if (marker.kind === "marker") {
      const brackets = this.#buffer.slice(open, marker.end);
      if (marker.items.length === 0 && this.#citations.hasOtherNumber(brackets)) {
        this.#text += brackets;
        return marker.end;
      }
      if (brackets.length <= MAX_MARKER_LENGTH) {
        this.#mark(this.#citations.verify(marker.items));
        return marker.end;
      }
    } else if (this.#buffer.length - open <= MAX_MARKER_LENGTH) return null;
    this.#mark([]);
    this.#isSkipping = true;
    return Math.min(this.#buffer.length, open + MAX_MARKER_LENGTH);
  }

  #mark(mark: CitationMark): void {
    this.#marks.push(mark);
    this.#text += PLACEHOLDER;
  }
}
