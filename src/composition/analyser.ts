import { setImmediate } from "node:timers/promises";
import type { Analyser, Analysis } from "#domain/answers/search.ts";
import { analyse } from "#retrieval/lexical/analyse.ts";

/** Texts of at most this many characters are analysed on the main thread; larger ones in a worker thread. */
const MAX_MAIN_THREAD_CHARACTERS = 100_000;
/** Characters per batch for a thread, which bounds its memory. A longer text is a batch of its own. */
const MAX_BATCH_CHARACTERS = 500_000;

/** Analyses small texts on the main thread, one per turn of the event loop, and large texts in a worker thread. */
export function createAnalyser(threads: Analyser): Analyser {
  return {
    async analyse(items, only) {
      const analyses: Analysis[] = [];
      if (items.reduce((sum, { text }) => sum + text.length, 0) > MAX_MAIN_THREAD_CHARACTERS) {
        for (const batch of splitIntoBatches(items)) analyses.push(...(await threads.analyse(batch, only)));
        return analyses;
      }
      for (const { title, text, languageHint } of items) {
        analyses.push(analyse(title, text, { only, languageHint }));
        await setImmediate();
      }
      return analyses;
    },
  };
}

function* splitIntoBatches<T extends { readonly text: string }>(items: readonly T[]): Generator<readonly T[]> {
  let batch: T[] = [];
  let characters = 0;
  for (const item of items) {
    if (batch.length > 0 && characters + item.text.length > MAX_BATCH_CHARACTERS) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(item);
    characters += item.text.length;
  }
  if (batch.length > 0) yield batch;
}
