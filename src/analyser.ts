import { setImmediate } from "node:timers/promises";
import type { Analyser, Analysis } from "#domain/search.ts";
import { analyse } from "#retrieval/analyse.ts";

/** Texts up to this many characters are analysed here, one at a time; more goes to a thread. */
const MOST_HERE = 100_000;

/** Analyses small texts on the main thread, a turn of the event loop each, and large ones where they hold up nobody. */
export function createAnalyser(threads: Analyser): Analyser {
  return {
    async analyse(items) {
      const characters = items.reduce((sum, { text }) => sum + text.length, 0);
      if (characters > MOST_HERE) return threads.analyse(items);
      const analyses: Analysis[] = [];
      for (const { title, text } of items) {
        analyses.push(analyse(title, text));
        await setImmediate();
      }
      return analyses;
    },
  };
}
