import { setImmediate } from "node:timers/promises";
import type { Analyser, Analysis } from "#domain/answers/search.ts";
import { analyse } from "#retrieval/lexical/analyse.ts";

/** Texts up to this many characters are analysed here, one at a time; more goes to a thread. */
const MAX_HERE = 100_000;
/** Characters given to a thread at once, but for one text that is longer; its memory is bounded. */
const CONCURRENCY = 500_000;

/** Analyses small texts on the main thread, a turn of the event loop each, and large ones where they hold up nobody. */
export function createAnalyser(threads: Analyser): Analyser {
  return {
    async analyse(items, only) {
      const analyses: Analysis[] = [];
      if (items.reduce((sum, { text }) => sum + text.length, 0) > MAX_HERE) {
        for (const batch of batchesOf(items)) analyses.push(...(await threads.analyse(batch, only)));
        return analyses;
      }
      for (const { title, text } of items) {
        analyses.push(analyse(title, text, only));
        await setImmediate();
      }
      return analyses;
    },
  };
}

function* batchesOf<T extends { readonly text: string }>(items: readonly T[]): Generator<readonly T[]> {
  let batch: T[] = [];
  let characters = 0;
  for (const item of items) {
    if (batch.length > 0 && characters + item.text.length > CONCURRENCY) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(item);
    characters += item.text.length;
  }
  if (batch.length > 0) yield batch;
}
