/** UTF-16 code units of text that are kept: more than the maximum of a tile. */
const MAX_LENGTH = 2_100_000;
/** Parts are joined when there are so many: each takes more memory than its text. */
const MAX_PARTS = 10_000;
/** White space other than single spaces and line breaks. */
const LOOSE_SPACE = /\s{2,}|[^\S \n]/g;

const tidySpace = (text: string): string => text.replace(LOOSE_SPACE, (space) => (space.includes("\n") ? "\n" : " "));

/** Collects the text of a page in lines, without empty ones and white space around them. */
export class LinearText {
  #done = "";
  #parts: string[] = [];
  #length = 0;

  add(text: string): void {
    if (this.#length >= MAX_LENGTH) return;
    this.#push(text.slice(0, MAX_LENGTH - this.#length));
    this.#length += text.length;
  }

  breakLine(): void {
    if (this.#parts.at(-1) !== "\n") this.#push("\n");
  }

  toString(): string {
    return tidySpace(this.#done + this.#join()).trim();
  }

  #push(part: string): void {
    if (this.#parts.push(part) < MAX_PARTS) return;
    this.#done += this.#join();
    this.#parts = ["\n"].slice(part === "\n" ? 0 : 1);
  }

  #join(): string {
    return tidySpace(this.#parts.join(""));
  }
}
