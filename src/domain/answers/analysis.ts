/** A passage of a tile's text, the unit that is searched; offsets are UTF-16 code units into `extractedText`. */
export type Chunk = { readonly start: number; readonly end: number; /** Terms in it, title included. */ readonly length: number };

/** One term in one chunk; `chunk` is an index into `Analysis.chunks`. */
export type TermEntry = { readonly chunk: number; readonly frequency: number };

/**
 * Terms with their entries, in one string and typed arrays. A thread returns it without work for each term, and it is looked up without
 * being unpacked. A map of 100,000 terms takes 20 MB, and a second to copy.
 */
export type TermTable = {
  /** The terms one after the other, in ascending order of their UTF-16 code units. */
  readonly text: string;
  /** The end of each term in `text`. */
  readonly ends: Uint32Array<ArrayBuffer>;
  /** The end of each term's entries in `chunks` and `frequencies`. */
  readonly entryEnds: Uint32Array<ArrayBuffer>;
  readonly chunks: Uint32Array<ArrayBuffer>;
  readonly frequencies: Uint16Array<ArrayBuffer>;
};

/** The index entries of a tile, or of one part of a long tile. */
export type Analysis = { readonly chunks: readonly Chunk[]; readonly terms: TermTable };

const MAX_FREQUENCY = 65_535;
/** Memory of an analysis besides its terms, and of a chunk. */
const OVERHEAD_BYTES = 512;
const CHUNK_BYTES = 64;

/** Packs the entries of each term, which are in the order of their chunks. */
export function packTerms(entriesByTerm: ReadonlyMap<string, readonly TermEntry[]>): TermTable {
  const terms = [...entriesByTerm.keys()].sort();
  let size = 0;
  for (const entries of entriesByTerm.values()) size += entries.length;
  const ends = new Uint32Array(terms.length);
  const entryEnds = new Uint32Array(terms.length);
  const chunks = new Uint32Array(size);
  const frequencies = new Uint16Array(size);
  let end = 0;
  let at = 0;
  for (const [i, term] of terms.entries()) {
    for (const { chunk, frequency } of entriesByTerm.get(term) ?? []) {
      chunks[at] = chunk;
      frequencies[at++] = Math.min(MAX_FREQUENCY, frequency);
    }
    ends[i] = end += term.length;
    entryEnds[i] = at;
  }
  return { text: terms.join(""), ends, entryEnds, chunks, frequencies };
}

export const EMPTY_ANALYSIS: Analysis = { chunks: [], terms: packTerms(new Map()) };

export const countTerms = ({ ends }: TermTable): number => ends.length;

/** Returns the term with this index. */
export const getTerm = ({ text, ends }: TermTable, index: number): string => text.slice(ends[index - 1] ?? 0, ends[index]);

/** Returns the entries of the term with this index. */
export function listEntries({ entryEnds, chunks, frequencies }: TermTable, index: number): TermEntry[] {
  const entries: TermEntry[] = [];
  const end = entryEnds[index] ?? 0;
  for (let at = entryEnds[index - 1] ?? 0; at < end; at++)
    entries.push({ chunk: chunks[at] as number, frequency: frequencies[at] as number });
  return entries;
}

/** Returns the entries of a term; none if the text does not contain it. */
export function findEntries(terms: TermTable, term: string): readonly TermEntry[] {
  const index = findFirst(terms, term);
  return index < countTerms(terms) && getTerm(terms, index) === term ? listEntries(terms, index) : [];
}

export const hasTerm = (terms: TermTable, term: string): boolean => {
  const index = findFirst(terms, term);
  return index < countTerms(terms) && getTerm(terms, index) === term;
};

/** Yields the terms with this prefix in ascending order. */
export function* iterateTerms(terms: TermTable, prefix = ""): Generator<string, void, undefined> {
  for (let index = findFirst(terms, prefix); index < countTerms(terms); index++) {
    const term = getTerm(terms, index);
    if (!term.startsWith(prefix)) return;
    yield term;
  }
}

/** Returns the index of the first term that is not before `wanted`. */
function findFirst(terms: TermTable, wanted: string): number {
  let [low, high] = [0, countTerms(terms)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (getTerm(terms, middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the buffers that a thread transfers instead of copying them. */
export const listBuffers = ({ terms: { ends, entryEnds, chunks, frequencies } }: Analysis): ArrayBuffer[] =>
  [ends, entryEnds, chunks, frequencies].map(({ buffer }) => buffer);

/** Returns the approximate memory of an analysis in bytes. */
export const measureAnalysis = ({ chunks, terms }: Analysis): number =>
  OVERHEAD_BYTES +
  chunks.length * CHUNK_BYTES +
  terms.text.length * 2 +
  terms.ends.byteLength +
  terms.entryEnds.byteLength +
  terms.chunks.byteLength +
  terms.frequencies.byteLength;
