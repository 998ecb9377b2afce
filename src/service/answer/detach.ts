import type { NumberedSource } from "#retrieval/grounding/prompt.ts";
import type { Excerpt } from "#retrieval/passage.ts";
import { copyString } from "#retrieval/text/characters.ts";

/**
 * Returns the sources with at most `contextLength` code units of their tile's text on each side, and without references to the texts they
 * were cut from. Sources close to each other share what is around them.
 */
export function detachSources(sources: readonly NumberedSource[], contextLength: number): NumberedSource[] {
  const detached = new Map<NumberedSource, NumberedSource>();
  for (const group of groupByText(sources)) {
    for (const near of groupNeighbours(group, contextLength)) {
      const around = cutAround(near, contextLength);
      for (const source of near) {
        const text = around.text.slice(source.start - around.start, source.end - around.start);
        detached.set(source, { ...source, text, around });
      }
    }
  }
  return sources.map((source) => detached.get(source) ?? source);
}

const groupByText = (sources: readonly NumberedSource[]): NumberedSource[][] => [
  ...Map.groupBy(sources, ({ tileId, around }) => `${tileId} ${around.start} ${around.text.length}`).values(),
];

/** Groups the passages of one text whose surroundings touch, in the order of the text. */
function groupNeighbours(sources: readonly NumberedSource[], contextLength: number): NumberedSource[][] {
  const groups: NumberedSource[][] = [];
  let end = -1;
  for (const source of sources.toSorted((a, b) => a.start - b.start)) {
    if (source.start - contextLength <= end) groups.at(-1)?.push(source);
    else groups.push([source]);
    end = Math.max(end, source.end + contextLength);
  }
  return groups;
}

function cutAround(near: readonly NumberedSource[], contextLength: number): Excerpt {
  const { text, start } = (near[0] as NumberedSource).around;
  const from = Math.max(start, (near[0] as NumberedSource).start - contextLength);
  const to = Math.max(...near.map(({ end }) => end)) + contextLength;
  return { start: from, text: copyString(text.slice(from - start, to - start)) };
}
