import { readFileSync, writeFileSync } from "node:fs";
import { describeBlocks, FEATURES, listWords, type PageHints } from "#ingest/clean/model/features.ts";
import type { Outline } from "#ingest/clean/model/outline.ts";
import { toWords } from "./labels.ts";
import { describeContext } from "#ingest/clean/model/context.ts";
import { binRows, createRandom, predictRow, trainTrees, type Model } from "./trees.ts";

export type Page = { set: string; id: string; url: string; type: string; outline: Outline; labels: Float32Array; known: Uint8Array; truth?: string; wanted?: string[]; unwanted?: string[]; facts?: string[]; boilerplate?: string[]; site: string; fold: number; hints: PageHints; words: string[][]; sizes: number[] };

const hash = (text: string): number => { let h = 2166136261; for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619); return h >>> 0; };
const normal = (t: string) => t.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

export function load(sets = ["wcxb", "articles", "segments", "structure"]): Page[] {
  const pages: Page[] = [];
  for (const set of sets)
    for (const line of readFileSync(`/tmp/m/${set}.jsonl`, "utf8").split("\n")) {
      const p = JSON.parse(line);
      const host = (URL.parse(p.url ?? "")?.hostname ?? p.id).replace(/^www\./, "").split(".").slice(-2).join(".");
      const site = set === "structure" ? `structure ${p.layout}` : host;
      const n = p.outline.blocks.length;
      const labels = new Float32Array(n);
      const known = new Uint8Array(n).fill(1);
      if (set === "wcxb" || set === "articles") labels.set(p.labels);
      else if (set === "segments") {
        known.fill(0);
        const wanted = p.wanted.map(normal), unwanted = p.unwanted.map(normal);
        p.outline.blocks.forEach((b: any, i: number) => {
          const t = normal(b.text);
          if (wanted.some((w: string) => t.includes(w) || (t.length > 15 && w.includes(t)))) { labels[i] = 1; known[i] = 1; }
          else if (unwanted.some((w: string) => t.includes(w) || (t.length > 15 && w.includes(t)))) { labels[i] = 0; known[i] = 1; }
        });
      } else {
        // structure: boilerplate and facts are marked
        const facts = p.facts.map(normal), boiler = p.boilerplate.map(normal);
        p.outline.blocks.forEach((b: any, i: number) => {
          const t = normal(b.text);
          if (facts.some((w: string) => t.includes(w) || (t.length > 8 && w.includes(t)))) labels[i] = 1;
          else if (boiler.some((w: string) => t.includes(w) || (t.length > 8 && w.includes(t)))) labels[i] = 0;
          else known[i] = 0;
        });
      }
      const words = p.outline.blocks.map((b: any) => toWords(b.text));
      pages.push({ set, id: p.id, url: p.url ?? "", type: p.type, outline: p.outline, labels, known, truth: p.truth, wanted: p.wanted, unwanted: p.unwanted, facts: p.facts, boilerplate: p.boilerplate, site, fold: hash(`7 ${site}`) % 5, hints: { titles: p.meta.titles, description: p.meta.description, ogType: p.meta.ogType, types: p.meta.jsonLd, url: p.url ?? "" }, words, sizes: words.map((w: string[]) => w.length) });
    }
  return pages;
}

type Counts = Map<string, { yes: number; no: number; sites: Set<string> }>;
export function countTokens(pages: readonly Page[]): Counts {
  const counts: Counts = new Map();
  for (const page of pages) {
    const { elements, blocks } = page.outline;
    const total = Math.max(50, page.sizes.reduce((a, b) => a + Math.sqrt(b), 0));
    const add = (token: string, at: number, w: number): void => {
      let c = counts.get(token);
      if (c === undefined) counts.set(token, (c = { yes: 0, no: 0, sites: new Set() }));
      c.yes += w * page.labels[at]!;
      c.no += w * (1 - page.labels[at]!);
      c.sites.add(page.site);
    };
    for (const [at, b] of blocks.entries()) {
      if (!page.known[at]) continue;
      const w = Math.sqrt(page.sizes[at]!) / total;
      const seen = new Set<string>();
      for (let up = b.element; up >= 0; up = elements[up]!.parent) for (const name of elements[up]!.names) seen.add(`n ${name}`);
      for (const name of b.inline) seen.add(`n ${name}`);
      if (b.text.length <= 200) for (const word of listWords(b.text)) seen.add(`w ${word}`);
      for (const token of seen) add(token, at, w);
    }
  }
  return counts;
}
export function toOdds(counts: Counts, minSites = 4): Map<string, number> {
  let [yes, no] = [0, 0];
  for (const c of counts.values()) { yes += c.yes; no += c.no; }
  const base = Math.log(yes / no);
  const odds = new Map<string, number>();
  for (const [token, c] of counts) if (c.sites.size >= minSites) {
    const k = 0.15;
    odds.set(token, Math.max(-4, Math.min(4, (Math.log((c.yes + k * yes / (yes + no)) / (c.no + k * no / (yes + no))) - base))));
  }
  return odds;
}

export function score(page: Page, keep: (at: number) => boolean): number {
  const expected = new Map<string, number>();
  const truth = toWords(page.truth!);
  for (const w of truth) expected.set(w, (expected.get(w) ?? 0) + 1);
  let [found, common] = [0, 0];
  for (const [at, words] of page.words.entries()) if (keep(at)) for (const w of words) { found++; const left = expected.get(w) ?? 0; if (left > 0) { common++; expected.set(w, left - 1); } }
  if (truth.length === 0 || found === 0) return truth.length === found ? 1 : 0;
  return (2 * common) / (truth.length + found);
}

export const TYPES = ["article", "documentation", "service", "forum", "product", "collection", "listing"];
export function pageTokens(page: Page): string[] {
  const url = URL.parse(page.url);
  const tokens = new Set<string>();
  for (const part of (url?.hostname ?? "").split(".").slice(0, -1)) for (const w of part.split("-")) tokens.add(`h ${w}`);
  const parts = (url?.pathname ?? "").split("/").filter((x) => x !== "");
  for (const [at, part] of parts.entries()) { const words = part.toLowerCase().match(/[a-z]+/g) ?? []; if (at < parts.length - 1 || words.length <= 3) for (const w of words) tokens.add(`u ${w}`); if (at === parts.length - 1) { tokens.add(`last ${Math.min(6, words.length)}`); if (/\d{3,}/.test(part)) tokens.add("last number"); } if (/^(?:19|20)\d\d$/.test(part)) tokens.add("u year"); if (/\.\w+$/.test(part)) tokens.add(`ext ${part.split(".").at(-1)}`); }
  tokens.add(`parts ${Math.min(5, parts.length)}`);
  for (const t of page.hints.types) tokens.add(`t ${t.toLowerCase()}`);
  if (page.hints.ogType) tokens.add(`og ${page.hints.ogType.toLowerCase()}`);
  for (const n of page.outline.elements[0]?.names ?? []) tokens.add(`b ${n}`);
  return [...tokens];
}
export function fitTypes(pages: readonly Page[]): (page: Page) => number[] {
  const typed = pages.filter((p) => p.set === "wcxb");
  const total = new Map<string, { sites: Set<string>; by: number[] }>();
  const sizes = TYPES.map((t) => typed.filter((p) => p.type === t).length);
  for (const page of typed) for (const token of pageTokens(page)) {
    const c = total.get(token) ?? { sites: new Set<string>(), by: TYPES.map(() => 0) };
    c.sites.add(page.site);
    c.by[TYPES.indexOf(page.type)]!++;
    total.set(token, c);
  }
  const all = typed.length;
  return (page) => {
    const values = TYPES.map(() => 0);
    for (const token of pageTokens(page)) {
      const c = total.get(token);
      if (c === undefined || c.sites.size < 3) continue;
      const sum = c.by.reduce((a, b) => a + b, 0);
      for (const [k, n] of c.by.entries()) { const rest = (sum - n + 1) / (all - sizes[k]! + 2); values[k] = values[k]! + Math.log(((n + (sizes[k]! / all)) / (sizes[k]! + 1)) / rest); }
    }
    return values.map((v) => Math.max(-8, Math.min(8, v)));
  };
}

/** Chooses the blocks with the largest expected F1. */
export function select(page: Page, p: Float32Array, prior = 0): (at: number) => boolean {
  const order = Array.from(p.keys()).sort((a, b) => p[b]! - p[a]!);
  const all = p.reduce((s, v, at) => s + v * page.sizes[at]!, 0) + prior;
  let [best, bestAt, tp, size] = [-1, 0, 0, 0];
  for (const [k, at] of order.entries()) {
    tp += p[at]! * page.sizes[at]!;
    size += page.sizes[at]!;
    const f = (2 * tp) / (size + all);
    if (f > best) [best, bestAt] = [f, k];
  }
  const threshold = p[order[bestAt] ?? 0] ?? 1;
  return (at) => p[at]! >= threshold;
}

const mean = (v: number[]) => v.reduce((a, b) => a + b, 0) / Math.max(1, v.length);
export function report(pages: Page[], predicted: Map<Page, Float32Array>, label: string): void {
  for (const mode of ["t.4", "t.5", "eF"]) {
    const keepOf = (page: Page) => { const p = predicted.get(page)!; return mode === "eF" ? select(page, p) : (at: number) => p[at]! >= Number(mode.slice(1)); };
    const w = pages.filter((p) => p.set === "wcxb");
    const f = new Map<string, number[]>();
    for (const page of w) { const s = score(page, keepOf(page)); for (const k of ["all", page.type]) f.set(k, [...(f.get(k) ?? []), s]); }
    const a = pages.filter((p) => p.set === "articles").map((p) => score(p, keepOf(p)));
    let [tp, fn, fp] = [0, 0, 0];
    for (const page of pages) if (page.set === "segments") {
      const keep = keepOf(page);
      const text = page.outline.blocks.filter((_, at) => keep(at)).map((b) => b.text).join("\n");
      for (const s of page.wanted!) text.includes(s.replace(/\s+/g, " ")) ? tp++ : fn++;
      for (const s of page.unwanted!) if (text.includes(s.replace(/\s+/g, " "))) fp++;
    }
    let [facts, kept, boiler, included] = [0, 0, 0, 0];
    for (const page of pages) if (page.set === "structure") {
      const keep = keepOf(page);
      const text = normal(page.outline.blocks.filter((_, at) => keep(at)).map((b) => b.text).join("\n"));
      for (const s of page.facts!) { facts++; if (text.includes(normal(s))) kept++; }
      for (const s of page.boilerplate!) { boiler++; if (text.includes(normal(s))) included++; }
    }
    console.log(label, mode, [...f].map(([k, v]) => `${k} ${mean(v).toFixed(3)}`).join(" "), "| lost", ((f.get("all") ?? []).filter((x) => x < 0.3).length / w.length).toFixed(3), "| articles", mean(a).toFixed(3), "| seg", ((2 * tp) / (2 * tp + fp + fn)).toFixed(3), "| facts", (kept / facts).toFixed(3), "boiler", (included / boiler).toFixed(3));
  }
}

export async function run(args: readonly string[]): Promise<void> {
  const t0 = Date.now();
  const log = (...x: unknown[]) => console.log(((Date.now() - t0) / 1000).toFixed(0), ...x);
  const folds = (args[0] ?? "0").split(",").map(Number);
  const trees = Number(args[1] ?? 150);
  const leaves = Number(args[2] ?? 31);
  const pages = load();
  log("loaded", pages.length);
  // Odds for the pages of a fold come from the other folds.
  const odds = [0, 1, 2, 3, 4].map((fold) => toOdds(countTokens(pages.filter((p) => p.fold !== fold))));
  log("odds", odds[0]!.size);
  const typers = [0, 1, 2, 3, 4].map((fold) => fitTypes(pages.filter((p) => p.fold !== fold)));
  { let right = 0; const w = pages.filter((p) => p.set === "wcxb"); for (const p of w) { const v = typers[p.fold]!(p); if (TYPES[v.indexOf(Math.max(...v))] === p.type) right++; } log("types by tokens", right / w.length); }
  const rows: Float32Array[] = [];
  const offset = new Map<Page, number>();
  for (const page of pages) {
    offset.set(page, rows.length);
    const o = odds[page.fold]!;
    for (const row of describeBlocks(page.outline, page.hints, (kind, token) => o.get(`${kind[0]} ${token}`) ?? 0, args[4] === "no" ? [] : typers[page.fold]!(page))) rows.push(row);
  }
  log("rows", rows.length, FEATURES.length);
  const labels = new Float32Array(rows.length);
  const weights = new Float32Array(rows.length);
  for (const page of pages) {
    const at = offset.get(page)!;
    let total = 0;
    for (const [i, size] of page.sizes.entries()) if (page.known[i]) total += Math.sqrt(size);
    const scale = page.set === "segments" ? 10 : page.set === "structure" ? 30 : 100;
    for (const [i, size] of page.sizes.entries()) { labels[at + i] = page.labels[i]!; weights[at + i] = page.known[i] ? (Math.sqrt(size) / Math.max(30, total)) * scale : 0; }
  }
  const bad = new Set(pages.filter((p) => p.truth !== undefined && (toWords(p.truth).length < 15 || score(p, (at) => p.labels[at]! >= 0.5) < 0.5)));
  log("without usable reference", bad.size);
  for (const page of bad) weights.fill(0, offset.get(page)!, offset.get(page)! + page.sizes.length);
  const matrix = binRows(rows);
  log("binned");
  const options = { trees, leaves, rate: 0.1, minWeight: 5, l2: 2, rowShare: 0.5, columnShare: 0.35, seed: 3 };
  const pick = (has: (p: Page) => boolean) => Int32Array.from(pages.filter(has).flatMap((p) => p.sizes.map((_, i) => offset.get(p)! + i)).filter((r) => weights[r]! > 0));
  const apply = (model: Model, some: readonly Page[], of: readonly Float32Array[]) => new Map(some.map((page) => [page, Float32Array.from(page.sizes, (_, i) => predictRow(model, of[offset.get(page)! + i]!))]));
  const predicted = new Map<Page, Float32Array>();
  const predicted1 = new Map<Page, Float32Array>();
  for (const fold of folds) {
    const first = new Map<Page, Float32Array>();
    const model = trainTrees(matrix, labels, weights, pick((p) => p.fold !== fold), options);
    for (const [page, p] of apply(model, pages.filter((p) => p.fold === fold), rows)) { first.set(page, p); predicted1.set(page, p); }
    report(pages.filter((p) => p.fold === fold), first, `first ${fold}`);
    for (const other of [0, 1, 2, 3, 4]) {
      if (other === fold) continue;
      const inner = trainTrees(matrix, labels, weights, pick((p) => p.fold !== fold && p.fold !== other), options);
      for (const [page, p] of apply(inner, pages.filter((p) => p.fold === other), rows)) first.set(page, p);
    }
    log("inner trained");
    const rows2: Float32Array[] = [];
    for (const page of pages) {
      const at = offset.get(page)!;
      for (const [i, extra] of describeContext(page.outline, first.get(page)!).entries()) { const row = new Float32Array(FEATURES.length + extra.length); row.set(rows[at + i]!); row.set(extra, FEATURES.length); rows2.push(row); }
    }
    const matrix2 = binRows(rows2);
    log("rows of the second", rows2[0]!.length);
    const second = trainTrees(matrix2, labels, weights, pick((p) => p.fold !== fold), { ...options, trees: Number(args[3] ?? trees), seed: 5 });
    for (const [page, p] of apply(second, pages.filter((p) => p.fold === fold), rows2)) predicted.set(page, p);
    report(pages.filter((p) => p.fold === fold), predicted, `second ${fold}`);
  }
  report(pages.filter((p) => folds.includes(p.fold)), predicted1, "all, first");
  report(pages.filter((p) => folds.includes(p.fold)), predicted, "all");
  void createRandom;
  writeFileSync("/tmp/m/pred.json", JSON.stringify([...predicted].map(([page, p]) => ({ set: page.set, id: page.id, type: page.type, f1: page.truth === undefined ? null : score(page, select(page, p)), p: Array.from(p, (x) => Math.round(x * 1000) / 1000) }))));
}
