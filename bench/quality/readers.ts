import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { cleanPage } from "#ingest/clean/page.ts";
import type { SetPage } from "./data.ts";

export type Reader = (page: SetPage) => string;

/** Readability on linkedom, as in their documentation. */
export const readPlain: Reader = ({ html }) => {
  try {
    return new Readability(parseHTML(html).document as never).parse()?.textContent ?? "";
  } catch {
    return "";
  }
};

/** The text that the service extracts from a page. */
export const readOurs: Reader = (page) => cleanPage(page).text;

/** The text of each page by both readers, and their total time in milliseconds. */
export type Reading<Page> = {
  readonly pages: readonly { readonly page: Page; readonly plain: string; readonly ours: string }[];
  readonly plainMs: number;
  readonly oursMs: number;
};

const WARM_UP = 8;
const ROUNDS = 2;

function measureReader(reader: Reader, page: SetPage): { readonly text: string; readonly ms: number } {
  const started = performance.now();
  const text = reader(page);
  return { text, ms: performance.now() - started };
}

/**
 * Reads each page with both readers in alternating order, so that both have the same conditions. The fastest round of each counts,
 * because other processes can only slow a reader down.
 */
export function readAlternately<Page extends SetPage>(pages: readonly Page[]): Reading<Page> {
  for (const page of pages.slice(0, WARM_UP)) {
    readPlain(page);
    readOurs(page);
  }
  let [plainMs, oursMs] = [0, 0];
  const read = pages.map((page) => {
    const best = { plain: { text: "", ms: Number.POSITIVE_INFINITY }, ours: { text: "", ms: Number.POSITIVE_INFINITY } };
    const runReader = (name: keyof typeof best, reader: Reader): void => {
      const result = measureReader(reader, page);
      if (result.ms < best[name].ms) best[name] = result;
    };
    for (let round = 0; round < ROUNDS; round++) {
      if (round % 2 === 0) runReader("plain", readPlain);
      runReader("ours", readOurs);
      if (round % 2 === 1) runReader("plain", readPlain);
    }
    plainMs += best.plain.ms;
    oursMs += best.ours.ms;
    return { page, plain: best.plain.text, ours: best.ours.text };
  });
  return { pages: read, plainMs, oursMs };
}
