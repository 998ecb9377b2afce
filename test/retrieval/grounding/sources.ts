import type { NumberedSource } from "#retrieval/grounding/prompt.ts";

/** A complete tile as a source, or a part of one. */
export function source(tileText: string, more: Partial<NumberedSource> = {}): NumberedSource {
  const start = more.start ?? 0;
  const end = more.end ?? tileText.length;
  return {
    tileId: "til_1",
    title: "Ferry times",
    type: "TEXT",
    sourceUrl: null,
    ...more,
    text: tileText.slice(start, end),
    start,
    end,
    around: { text: tileText, start: 0 },
  };
}

/** All splits of a text into two parts, and the text letter by letter. */
export function* splitInManyWays(text: string): Generator<readonly string[]> {
  for (let at = 0; at <= text.length; at++) yield [text.slice(0, at), text.slice(at)];
  yield text.split("");
}
