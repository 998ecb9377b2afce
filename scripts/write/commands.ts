import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderReference } from "#cli/help/reference.ts";

const TARGET = join(import.meta.dirname, "../../docs/reference/command-line.md");
const MARKED = /(<!-- commands -->\n\n).*(\n\n<!-- \/commands -->)/s;

/** Returns the page with its generated part brought up to date. */
export const updateCommandsPage = (page: string): string =>
  page.replace(MARKED, (_all, start: string, end: string) => start + renderReference() + end);

/** `npm run commands`: writes the tables of docs/reference/command-line.md. */
export function run(): void {
  writeFileSync(TARGET, updateCommandsPage(readFileSync(TARGET, "utf8")));
}
