/** Appended to a sentence that no quote supports. */
export const UNSUPPORTED = " [unsupported]";

/** Replaces a citation marker. It counts as white space when text is split into sentences. */
export const PLACEHOLDER = "\v";

export const countPlaceholders = (text: string): number => text.split(PLACEHOLDER).length - 1;

/** Adds a mark to a sentence; in a table row inside the last cell, because after the row it would end the table. */
export function appendMark(sentence: string, mark: string): string {
  const row = sentence.trimEnd();
  const end = mark === "" || !row.endsWith("|") ? -1 : row.slice(0, -1).trimEnd().length;
  return end < 1 ? sentence + mark : `${sentence.slice(0, end)}${mark} |`;
}

/** Replaces each placeholder with ` [k]`. Where a marker is left out, the words around it stay separate. */
export function renderMarks(body: string, numbers: readonly (readonly number[])[]): string {
  const parts = body.split(PLACEHOLDER);
  const seen = new Set<number>();
  let out = parts[0] ?? "";
  for (const [at, part] of parts.slice(1).entries()) {
    const shown = renderNumbers(numbers[at] ?? [], seen);
    if (shown !== "") out = out.trimEnd() + shown;
    const needsBlank = /\S$/.test(out) && /^[^\s.,;:!?)\]}"'”’»。，、；：！？]/.test(part);
    if (shown === "" && /^[.,;:!?)\]}]/.test(part)) out = out.trimEnd();
    const hasTwoBlanks = /\s$/.test(out) && /^[ \t]/.test(part);
    out += (needsBlank ? " " : "") + (hasTwoBlanks ? part.trimStart() : part);
  }
  return out;
}

/** Renders numbers that were not rendered before in the sentence. */
export function renderNumbers(numbers: readonly number[], seen: Set<number>): string {
  let out = "";
  for (const number of numbers) {
    if (seen.has(number)) continue;
    seen.add(number);
    out += ` [${number}]`;
  }
  return out;
}
