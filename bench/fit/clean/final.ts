import { writeFileSync } from "node:fs";
import { describeBlocks, FEATURES } from "#ingest/clean/model/features.ts";
import { describeContext } from "#ingest/clean/model/context.ts";
import { countTokens, load, report, score, select, toOdds, type Page } from "./explore.ts";
import { toWords } from "./labels.ts";
import { binRows, predictRow, trainTrees, type Model, type Tree } from "./trees.ts";

const FOLDS = [0, 1, 2, 3, 4];

function writeTree(tree: Tree): number[] {
  const out: number[] = [];
  const visit = (at: number): void => {
    if (tree.feature[at]! < 0) { out.push(-1, Number(tree.value[at]!.toPrecision(3))); return; }
    out.push(tree.feature[at]!, Number(tree.threshold[at]!.toPrecision(5)));
    visit(tree.left[at]!);
    visit(tree.right[at]!);
  };
  visit(0);
  return out;
}
const writeModel = ({ base, trees }: Model) => ({ base: Number(base.toFixed(4)), trees: trees.map(writeTree) });

export function fitModel(pages: readonly Page[], trees1: number, trees2: number, leaves: number, maxTokens: number, log: (...x: unknown[]) => void) {
  const counts = FOLDS.map((fold) => countTokens(pages.filter((p) => p.fold !== fold && p.labels.length > 0)));
  const full = countTokens(pages);
  const allOdds = toOdds(full, 4);
  const useful = [...allOdds].map(([t, o]) => [t, Math.abs(o) * Math.sqrt(full.get(t)!.yes + full.get(t)!.no)] as const).sort((a, b) => b[1] - a[1]).slice(0, maxTokens).map(([t]) => t);
  const kept = new Set(useful);
  const odds = counts.map((c) => toOdds(c, 3));
  const rows: Float32Array[] = [];
  const offset = new Map<Page, number>();
  for (const page of pages) {
    offset.set(page, rows.length);
    const o = odds[page.fold]!;
    for (const row of describeBlocks(page.outline, page.hints, (kind, token) => { const key = `${kind[0]} ${token}`; return kept.has(key) ? Math.round((o.get(key) ?? 0) * 10) / 10 : 0; })) rows.push(row);
  }
  const labels = new Float32Array(rows.length);
  const weights = new Float32Array(rows.length);
  for (const page of pages) {
    const at = offset.get(page)!;
    if (page.truth !== undefined && (toWords(page.truth).length < 15 || score(page, (i) => page.labels[i]! >= 0.5) < 0.5)) continue;
    let total = 0;
    for (const [i, size] of page.sizes.entries()) if (page.known[i]) total += Math.sqrt(size);
    const scale = page.set === "segments" ? 20 : page.set === "structure" ? 30 : 100;
    for (const [i, size] of page.sizes.entries()) { labels[at + i] = page.labels[i]!; weights[at + i] = page.known[i] ? (Math.sqrt(size) / Math.max(30, total)) * scale : 0; }
  }
  const options = { trees: trees1, leaves, rate: 0.1, minWeight: 5, l2: 2, rowShare: 0.5, columnShare: 0.35, seed: 3 };
  const pick = (has: (p: Page) => boolean) => Int32Array.from(pages.filter(has).flatMap((p) => p.sizes.map((_, i) => offset.get(p)! + i)).filter((r) => weights[r]! > 0));
  const matrix = binRows(rows);
  log("rows", rows.length);
  const first = new Map<Page, Float32Array>();
  for (const fold of new Set(pages.map((p) => p.fold))) {
    const inner = trainTrees(matrix, labels, weights, pick((p) => p.fold !== fold), options);
    for (const page of pages) if (page.fold === fold) first.set(page, Float32Array.from(page.sizes, (_, i) => predictRow(inner, rows[offset.get(page)! + i]!)));
    log("inner", fold);
  }
  const one = trainTrees(matrix, labels, weights, pick(() => true), options);
  const rows2: Float32Array[] = [];
  for (const page of pages) {
    const at = offset.get(page)!;
    for (const [i, extra] of describeContext(page.outline, first.get(page)!).entries()) { const row = new Float32Array(FEATURES.length + extra.length); row.set(rows[at + i]!); row.set(extra, FEATURES.length); rows2.push(row); }
  }
  const two = trainTrees(binRows(rows2), labels, weights, pick(() => true), { ...options, trees: trees2, seed: 5 });
  log("trained");
  const names: Record<string, number> = {};
  const words: Record<string, number> = {};
  for (const key of useful.sort()) { const value = Math.round(allOdds.get(key)! * 10) / 10; if (value !== 0) (key.startsWith("n ") ? names : words)[key.slice(2)] = value; }
  return { names, words, first: writeModel(one), second: writeModel(two) };
}

export async function run([out = "/tmp/m/model.json", fold, trees1 = "100", trees2 = "80", tokens = "4000"]: string[]) {
  const t0 = Date.now();
  const log = (...x: unknown[]) => console.log(((Date.now() - t0) / 1000).toFixed(0), ...x);
  const pages = load();
  const some = fold === undefined || fold === "-" ? pages : pages.filter((p) => p.fold !== Number(fold));
  const model = fitModel(some, Number(trees1), Number(trees2), 31, Number(tokens), log);
  const text = JSON.stringify(model);
  writeFileSync(out, text);
  log("bytes", text.length);
  void report; void select;
}
