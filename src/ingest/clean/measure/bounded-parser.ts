import { Parser } from "htmlparser2";

/** More than a page may have in all whose tree is built: V8 ends the process if an object gets millions of properties. */
const MAX_ATTRIBUTES = 100_000;
/** Each character reference of a value takes several times its length in memory. A megabyte of escaped JSON has fewer. */
const MAX_REFERENCES = 250_000;

/** A parser that leaves out the attributes of an element beyond a limit, and the rest of a value after as many references. */
export class BoundedParser extends Parser {
  #attributes = 0;
  #references = 0;

  override onopentagname(start: number, endIndex: number): void {
    this.#attributes = 0;
    super.onopentagname(start, endIndex);
  }

  override onattribname(start: number, endIndex: number): void {
    this.#references = 0;
    // All attributes beyond the limit share the empty name, and the first one of a name is kept.
    super.onattribname(start, ++this.#attributes > MAX_ATTRIBUTES ? start : endIndex);
  }

  override onattribdata(start: number, endIndex: number): void {
    if (this.#references <= MAX_REFERENCES) super.onattribdata(start, endIndex);
  }

  override onattribentity(codePoint: number): void {
    if (++this.#references <= MAX_REFERENCES) super.onattribentity(codePoint);
  }
}
