import { setImmediate } from "node:timers/promises";
import type { Analysis } from "#domain/answers/analysis.ts";
import type { AnalysableText } from "#domain/answers/search.ts";
import { IngestError } from "#domain/content/job.ts";
import type { AnalyseOptions, Pool } from "#ingest/threads/pool.ts";
import { analyse, chooseTileLanguage, type TextPart, toWholePart } from "#retrieval/lexical/analyse.ts";
import { MAX_PART_LENGTH, splitIntoParts } from "#retrieval/lexical/parts.ts";

/** Texts are analysed on the main thread if none, and all together, have more characters; larger ones in a worker thread. */
const MAX_MAIN_THREAD_TEXT = 20_000;
const MAX_MAIN_THREAD_CHARACTERS = 100_000;

/** Analyses short texts on the main thread, one per turn of the event loop, and longer ones part by part in a thread. */
export class TextAnalyser {
  readonly #threads: Pick<Pool, "analyse">;

  constructor(threads: Pick<Pool, "analyse">) {
    this.#threads = threads;
  }

  /** Analyses texts that have one part each. Returns null for those that exceed the limits of the thread. */
  async analyse(texts: readonly AnalysableText[], options: AnalyseOptions): Promise<(Analysis | null)[]> {
    const characters = texts.reduce((sum, { text }) => sum + text.length, 0);
    if (characters <= MAX_MAIN_THREAD_CHARACTERS && texts.every(({ text }) => text.length <= MAX_MAIN_THREAD_TEXT))
      return analyseInTurns(texts, options.signal);
    const analyses: (Analysis | null)[] = [];
    for (const batch of splitIntoBatches(texts)) analyses.push(...(await this.#analyseBatch(batch.map(toWholePart), options)));
    return analyses;
  }

  /** Yields the analyses of a text's parts in order, and null for each part that exceeds the limits of the thread. */
  async *analyseParts(tile: AnalysableText, options: AnalyseOptions): AsyncGenerator<Analysis | null> {
    const { title, text } = tile;
    const language = chooseTileLanguage(tile);
    let headings: TextPart["headings"] = [];
    for (const { start, end } of splitIntoParts(text)) {
      const part = { title, text: text.slice(start, end), language, offset: start, headings };
      const [analysed] = await this.#tryPart(part, options);
      if (analysed !== undefined) ({ headings } = analysed);
      yield analysed?.analysis ?? null;
    }
  }

  async #analyseBatch(parts: readonly TextPart[], options: AnalyseOptions): Promise<(Analysis | null)[]> {
    try {
      return (await this.#threads.analyse(parts, options)).map(({ analysis }) => analysis);
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      // One text must not keep the others from being found.
      const analyses: (Analysis | null)[] = [];
      for (const part of parts) analyses.push((await this.#tryPart(part, options))[0]?.analysis ?? null);
      return analyses;
    }
  }

  async #tryPart(part: TextPart, options: AnalyseOptions) {
    try {
      return await this.#threads.analyse([part], options);
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      return [];
    }
  }
}

async function analyseInTurns(texts: readonly AnalysableText[], signal: AbortSignal | undefined): Promise<Analysis[]> {
  const analyses: Analysis[] = [];
  for (const text of texts) {
    signal?.throwIfAborted();
    analyses.push(analyse(text));
    await setImmediate();
  }
  return analyses;
}

/** Groups texts so that a task has at most the text of one part, which bounds its memory and its time. */
export function* splitIntoBatches<T extends { readonly text: string }>(items: readonly T[]): Generator<readonly T[]> {
  let batch: T[] = [];
  let characters = 0;
  for (const item of items) {
    if (batch.length > 0 && characters + item.text.length > MAX_PART_LENGTH) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(item);
    characters += item.text.length;
  }
  if (batch.length > 0) yield batch;
}
