import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { type Report, getStatus } from "./report.ts";
import { ROOT } from "../context.ts";
import { renderFigureTable, formatMarkdown } from "./table.ts";

const FOLDER = join(import.meta.dirname, "../results");
const DOCUMENT = join(ROOT, "docs", "benchmarks.md");

export type About = { readonly command: string; readonly seconds: number; readonly notes: readonly string[] };

/** Writes `name`.json and `name`.md; returns their folder. */
export function writeResults(name: string, report: Report, { command, seconds, notes }: About): string {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()} ${arch()}`;
  const about = {
    date: new Date().toISOString(),
    machine,
    node: process.version,
    commit: describeCommit(),
    command,
    seconds: Math.round(seconds),
    notes,
  };
  const figures = report.figures.map((figure) => ({ ...figure, status: getStatus(figure) }));
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify({ ...about, figures, sections: report.sections }, null, 2)}\n`);
  const lines = [
    `# Benchmark, ${about.date.slice(0, 10)}`,
    "",
    `- Machine: ${machine}`,
    `- Node ${about.node}, commit ${about.commit}`,
    `- Repeat: \`${command}\` (took ${about.seconds} s)`,
    ...notes.map((note) => `- ${note}`),
    "",
    formatMarkdown(report),
  ];
  writeFileSync(join(FOLDER, `${name}.md`), lines.join("\n"));
  return FOLDER;
}

/** Replaces the figures between the two `bench` comments of docs/benchmarks.md. */
export function writeDocument(report: Report): void {
  const block = [
    "<!-- bench -->",
    renderFigureTable(report),
    "",
    `Measured ${new Date().toISOString().slice(0, 10)} by \`npm run bench\`; the spread of each figure is in [bench/results](../bench/results/latest.md).`,
    "<!-- /bench -->",
  ];
  const text = readFileSync(DOCUMENT, "utf8");
  writeFileSync(
    DOCUMENT,
    text.replace(/<!-- bench -->[\s\S]*<!-- \/bench -->/, () => block.join("\n")),
  );
}

function describeCommit(): string {
  const { stdout, status } = spawnSync("git", ["describe", "--always", "--dirty"], { cwd: ROOT, encoding: "utf8" });
  return status === 0 ? stdout.trim() : "unknown";
}
