import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Section } from "../output/report.ts";
import { sectionAsText } from "../output/table.ts";
import { ROOT } from "../scene.ts";
import { runArticles, runSegments } from "./extraction.ts";

/** Each case answers its tables, or null when its data is absent. */
const CASES: Readonly<Record<string, (data: string) => readonly Section[] | null>> = {
  articles: runArticles,
  segments: runSegments,
};
const NAMES = Object.keys(CASES);

/** `npm run bench:quality -- [--data DIR] [--only NAME]`; the data's place is also TESSERA_DATA, and `../shared/data` by default. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { data: { type: "string" }, only: { type: "string" } } });
  if (values.only !== undefined && !NAMES.includes(values.only)) throw new Error(`--only must be one of ${NAMES.join(", ")}.`);
  const data = resolve(values.data ?? process.env["TESSERA_DATA"] ?? join(ROOT, "../shared/data"));
  for (const [name, runCase] of Object.entries(CASES)) {
    if (values.only !== undefined && values.only !== name) continue;
    const sections = runCase(data);
    if (sections === null) process.stdout.write(`${name}: the data is not in ${data}; name its place with --data DIR or TESSERA_DATA.\n\n`);
    for (const section of sections ?? []) process.stdout.write(`${sectionAsText(section)}\n`);
  }
}
