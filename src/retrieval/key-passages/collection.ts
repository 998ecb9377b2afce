import { extractCandidates, extractTerms, FRAGMENT_QUALITY } from "./candidates.ts";
import { NumberLists } from "./number-lists.ts";
import type { Steps } from "./steps.ts";

/** A text to extract key sentences from. */
export type KeyText = { readonly title: string; readonly text: string };

/**
 * The sentences of all texts, without repeats. It consists of columns: as objects, the hundred thousand sentences of a large board would
 * take ten times the memory.
 */
export type Collection = {
  readonly texts: readonly string[];
  /** The numbers of the terms of each text's title. */
  readonly titles: NumberLists;
  /** The numbers of each text's terms, and for each of them how many of its sentences contain it. */
  readonly textTerms: NumberLists;
  readonly textTermCounts: NumberLists;
  /** Terms by number, their numbers, and how many texts contain each, by number. */
  readonly terms: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly textCounts: readonly number[];
  /** For each sentence: its text, range in it, place among its sentences, quality and heading, and the numbers of its terms. */
  readonly sources: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly positions: readonly number[];
  readonly qualities: readonly number[];
  readonly headings: readonly (string | null)[];
  readonly sentenceTerms: NumberLists;
  /** Whether any sentence is more than a fragment. */
  readonly hasWhole: boolean;
};

/** Collects the sentences of texts. */
export class Collector {
  readonly #texts: string[] = [];
  readonly #titles = new NumberLists();
  readonly #textTerms = new NumberLists();
  readonly #textTermCounts = new NumberLists();
  readonly #terms: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #textCounts: number[] = [];
  readonly #columns = { sources: [], starts: [], ends: [], positions: [], qualities: [] } as Record<Column, number[]>;
  readonly #headings: (string | null)[] = [];
  readonly #sentenceTerms = new NumberLists();
  readonly #seen = new Set<string>();
  #hasWhole = false;

  /** Adds a text. A sentence that is repeated in several texts, such as a notice, counts once. */
  *add({ title, text }: KeyText): Steps<void> {
    const counts = new Map<number, number>();
    for (const { start, end, position, quality, heading, terms } of extractCandidates(text)) {
      yield;
      const ids = terms.map((term) => this.#assignNumber(term));
      for (const id of ids) {
        const count = counts.get(id) ?? 0;
        if (count === 0) this.#textCounts[id] = (this.#textCounts[id] as number) + 1;
        counts.set(id, count + 1);
      }
      const key = ids.join(" ");
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      const { sources, starts, ends, positions, qualities } = this.#columns;
      sources.push(this.#texts.length);
      starts.push(start);
      ends.push(end);
      positions.push(position);
      qualities.push(quality);
      this.#headings.push(heading);
      this.#sentenceTerms.add(ids);
      this.#hasWhole ||= quality > FRAGMENT_QUALITY;
    }
    this.#titles.add(extractTerms(title.slice(0, MAX_TITLE_LENGTH)).map((term) => this.#assignNumber(term)));
    this.#textTerms.add(counts.keys());
    this.#textTermCounts.add(counts.values());
    this.#texts.push(text);
  }

  get collection(): Collection {
    return {
      texts: this.#texts,
      titles: this.#titles,
      textTerms: this.#textTerms,
      textTermCounts: this.#textTermCounts,
      terms: this.#terms,
      numbers: this.#numbers,
      textCounts: this.#textCounts,
      ...this.#columns,
      headings: this.#headings,
      sentenceTerms: this.#sentenceTerms,
      hasWhole: this.#hasWhole,
    };
  }

  #assignNumber(term: string): number {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.#terms.length;
      this.#numbers.set(term, number);
      this.#terms.push(term);
      this.#textCounts.push(0);
    }
    return number;
  }
}

type Column = "sources" | "starts" | "ends" | "positions" | "qualities";

const MAX_TITLE_LENGTH = 500;
