import type { Outline, OutlineBlock, OutlineElement } from "./outline.ts";

const HEADING = /^h[1-6]$/;
const HOPS = [0, 1, 2, 3, 5, 7];

/** Describes each block by the first estimates of the blocks around it. */
export function describeContext({ elements, blocks }: Outline, first: Float32Array): number[][] {
  const n = blocks.length;
  const size = (at: number): number => Math.max(1, (blocks[at] as OutlineBlock).text.length);
  const lengths = new Float64Array(n + 1);
  const sums = new Float64Array(n + 1);
  for (let at = 0; at < n; at++) {
    lengths[at + 1] = (lengths[at] as number) + size(at);
    sums[at + 1] = (sums[at] as number) + size(at) * (first[at] as number);
  }
  const mean = (from: number, to: number): number => (to <= from ? -1 : ((sums[to] as number) - (sums[from] as number)) / ((lengths[to] as number) - (lengths[from] as number)));
  const expected = Math.max(1, sums[n] as number);
  const whole = Math.max(1, lengths[n] as number);
  const groups = new Map<string, { sum: number; length: number; count: number }>();
  const kind = (at: number): string => { const e = elements[(blocks[at] as OutlineBlock).element] as OutlineElement; return `${e.signature}<${elements[e.parent]?.signature ?? ""}`; };
  for (let at = 0; at < n; at++) {
    const group = groups.get(kind(at)) ?? { sum: 0, length: 0, count: 0 };
    group.sum += size(at) * (first[at] as number);
    group.length += size(at);
    group.count++;
    groups.set(kind(at), group);
  }
  const siblings = new Map<string, number[]>();
  for (const [at, { parent, signature, from, to }] of elements.entries()) if (from < to && parent >= 0) { const list = siblings.get(`${parent} ${signature}`); if (list) list.push(at); else siblings.set(`${parent} ${signature}`, [at]); }
  const outer: (readonly number[] | undefined)[] = [];
  for (const [at, { parent, signature }] of elements.entries()) { const list = siblings.get(`${parent} ${signature}`); outer.push(outer[parent] ?? (list && list.length >= 3 ? list : undefined)); }
  const sorted = Float32Array.from(first).sort();
  // The longest part with a high share: where the content is.
  let best = 0;
  for (const [at, { from, to, parent }] of elements.entries()) { const up = elements[parent]; if ((sums[to] as number) - (sums[from] as number) >= expected * 0.7) best = at; void up; }
  const main = elements[best] as OutlineElement | undefined;
  let proseSum = 0;
  let linkSum = 0;
  for (let at = 0; at < n; at++) { proseSum += size(at) > 80 ? size(at) * (first[at] as number) : 0; linkSum += (blocks[at] as OutlineBlock).linked * (first[at] as number); }
  let heading = -1;
  return blocks.map((block, at) => {
    const element = elements[block.element] as OutlineElement;
    if (HEADING.test(element.tag)) heading = at;
    const row: number[] = [first[at] as number];
    for (const step of [-3, -2, -1, 1, 2, 3]) row.push(first[at + step] ?? -1);
    row.push(mean(Math.max(0, at - 5), at), mean(at + 1, Math.min(n, at + 6)), mean(Math.max(0, at - 20), Math.min(n, at + 21)));
    let up = block.element;
    let steps = 0;
    for (const hop of HOPS) {
      while (steps < hop && (elements[up] as OutlineElement).parent >= 0) { up = (elements[up] as OutlineElement).parent; steps++; }
      const { from, to } = elements[up] as OutlineElement;
      row.push(mean(from, to), ((sums[to] as number) - (sums[from] as number)) / expected);
    }
    const group = groups.get(kind(at)) as { sum: number; length: number; count: number };
    row.push(group.sum / group.length, group.sum / expected);
    const list = outer[block.element];
    if (list === undefined) row.push(-1, -1);
    else { const [a, b] = [(elements[list[0] as number] as OutlineElement).from, (elements[list.at(-1) as number] as OutlineElement).to]; row.push(mean(a, b), ((sums[b] as number) - (sums[a] as number)) / expected); }
    row.push(heading < 0 ? -1 : (first[heading] as number), (sums[at] as number) / expected, expected / whole);
    row.push(sorted[Math.floor(n * 0.5)] as number, sorted[Math.floor(n * 0.9)] as number, sorted[n - 1] as number, Math.log2(expected), proseSum / expected, linkSum / expected);
    row.push(main === undefined ? -1 : at < main.from ? -Math.log2(1 + main.from - at) : at >= main.to ? Math.log2(1 + at - main.to) + 1 : 0);
    row.push(main === undefined ? -1 : mean(main.from, main.to), main === undefined ? -1 : main.depth);
    return row;
  });
}
