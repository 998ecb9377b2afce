/** Words of a text, as the metric of WCXB counts them. */
export const toWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** For each of `page`, whether it is aligned with a word of `truth`. */
export function alignWords(page: readonly string[], truth: readonly string[]): Uint8Array {
  const aligned = new Uint8Array(page.length);
  const used = new Uint8Array(truth.length);
  alignRange(page, truth, { from: 0, to: page.length }, { from: 0, to: truth.length }, 5, aligned, used);
  // What is left may be in another order.
  const restPage = Array.from(page.keys()).filter((at) => aligned[at] === 0);
  const restTruth = Array.from(truth.keys()).filter((at) => used[at] === 0);
  if (restTruth.length >= 4) {
    const marks = new Uint8Array(restPage.length);
    const usedRest = new Uint8Array(restTruth.length);
    matchRuns(restPage.map((at) => page[at] as string), restTruth.map((at) => truth[at] as string), marks, usedRest, restPage, restTruth);
    for (const [at, mark] of marks.entries()) if (mark === 1) aligned[restPage[at] as number] = 1;
  }
  return aligned;
}

type Range = { readonly from: number; readonly to: number };
const SMALL = 250_000;

function listUnique(words: readonly string[], { from, to }: Range, size: number): Map<string, number> {
  const found = new Map<string, number>();
  for (let at = from; at + size <= to; at++) {
    const key = size === 1 ? (words[at] as string) : words.slice(at, at + size).join(" ");
    found.set(key, found.has(key) ? -1 : at);
  }
  return found;
}

/** The longest increasing subsequence of pairs, by their second member. */
function selectChain(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const tails: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [at, pair] of pairs.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] as number] as readonly [number, number])[1] < pair[1]) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[at] = tails[low - 1] as number;
    tails[low] = at;
  }
  const chain: (readonly [number, number])[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] as number) chain.push(pairs[at] as readonly [number, number]);
  return chain.reverse();
}

function alignRange(a: readonly string[], b: readonly string[], ra: Range, rb: Range, size: number, aligned: Uint8Array, used: Uint8Array): void {
  if (ra.from >= ra.to || rb.from >= rb.to || size === 0) return;
  if (size <= 2 && (ra.to - ra.from) * (rb.to - rb.from) <= SMALL) return alignSmall(a, b, ra, rb, aligned, used);
  const ua = listUnique(a, ra, size);
  const ub = listUnique(b, rb, size);
  const pairs: (readonly [number, number])[] = [];
  for (const [key, at] of ua) {
    const other = ub.get(key);
    if (at >= 0 && other !== undefined && other >= 0) pairs.push([at, other]);
  }
  if (pairs.length === 0) return alignRange(a, b, ra, rb, size - 1, aligned, used);
  pairs.sort((x, y) => x[0] - y[0]);
  let [pa, pb] = [ra.from, rb.from];
  for (const [at, other] of selectChain(pairs)) {
    if (at < pa || other < pb) continue;
    let [sa, sb] = [at, other];
    while (sa > pa && sb > pb && a[sa - 1] === b[sb - 1]) { sa--; sb--; }
    alignRange(a, b, { from: pa, to: sa }, { from: pb, to: sb }, size - 1, aligned, used);
    let [ea, eb] = [sa, sb];
    while (ea < ra.to && eb < rb.to && a[ea] === b[eb]) { aligned[ea] = 1; used[eb] = 1; ea++; eb++; }
    pa = ea;
    pb = eb;
  }
  alignRange(a, b, { from: pa, to: ra.to }, { from: pb, to: rb.to }, size - 1, aligned, used);
}

function alignSmall(a: readonly string[], b: readonly string[], ra: Range, rb: Range, aligned: Uint8Array, used: Uint8Array): void {
  const [n, m] = [ra.to - ra.from, rb.to - rb.from];
  const table = new Uint16Array((n + 1) * (m + 1));
  for (let i = n - 1; i >= 0; i--)
    for (let j = m - 1; j >= 0; j--) {
      const same = a[ra.from + i] === b[rb.from + j];
      table[i * (m + 1) + j] = same
        ? (table[(i + 1) * (m + 1) + j + 1] as number) + 1
        : Math.max(table[(i + 1) * (m + 1) + j] as number, table[i * (m + 1) + j + 1] as number);
    }
  let [i, j] = [0, 0];
  while (i < n && j < m) {
    if (a[ra.from + i] === b[rb.from + j]) { aligned[ra.from + i++] = 1; used[rb.from + j++] = 1; }
    else if ((table[(i + 1) * (m + 1) + j] as number) >= (table[i * (m + 1) + j + 1] as number)) i++;
    else j++;
  }
}

/** Marks runs of five or more words that occur in both, in any order; each word of `truth` once. */
function matchRuns(page: readonly string[], truth: readonly string[], marks: Uint8Array, used: Uint8Array, pageAt: readonly number[], truthAt: readonly number[]): void {
  const size = 5;
  const starts = new Map<string, number[]>();
  for (let at = 0; at + size <= truth.length; at++) {
    if ((truthAt[at + size - 1] as number) - (truthAt[at] as number) !== size - 1) continue;
    const key = truth.slice(at, at + size).join(" ");
    const list = starts.get(key);
    if (list) list.push(at);
    else starts.set(key, [at]);
  }
  for (let at = 0; at + size <= page.length; ) {
    const contiguous = (pageAt[at + size - 1] as number) - (pageAt[at] as number) === size - 1;
    const from = contiguous ? starts.get(page.slice(at, at + size).join(" "))?.find((start) => used[start] === 0) : undefined;
    if (from === undefined) { at++; continue; }
    let length = 0;
    while (at + length < page.length && from + length < truth.length && page[at + length] === truth[from + length] && used[from + length] === 0) {
      marks[at + length] = 1;
      used[from + length] = 1;
      length++;
    }
    at += Math.max(1, length);
  }
}
