import { Defuddle } from "defuddle/node";
import { parseHTML } from "linkedom";
import type { Figure, Report, Section } from "../../output/report.ts";
import { readCrossValidated } from "../cross-validated.ts";
import type { Part } from "../options.ts";
import { readOurs, readPlain } from "../readers.ts";
import { composePages, type StructurePage } from "./pages.ts";
import { measureRealPages } from "./real.ts";
import { formatShare, type PageScore, type Share, scoreText, sumShares, toNumber } from "./scores.ts";

const MIN_FACTS = 0.98;
const MAX_BOILERPLATE = 0.02;

type Scored = { readonly page: StructurePage; readonly plain: PageScore; readonly defuddle: PageScore; readonly ours: PageScore };
type ReaderName = "plain" | "defuddle" | "ours";
type Measure = "facts" | "rows" | "captions" | "boilerplate";

const TITLES: Readonly<Record<ReaderName, string>> = { plain: "Readability + linkedom", defuddle: "Defuddle + linkedom", ours: "Tessera" };
const READERS: readonly ReaderName[] = ["plain", "defuddle", "ours"];

/** Defuddle as in its documentation, with Markdown output, which keeps rows. `useAsync: false` prevents requests to other servers. */
async function readDefuddle({ html, url }: StructurePage): Promise<string> {
  const { document } = parseHTML(html);
  return (await Defuddle(document, url, { markdown: true, useAsync: false })).content;
}

async function readPages(pages: readonly StructurePage[]): Promise<readonly Scored[]> {
  const scored: Scored[] = [];
  for (const page of pages) {
    const expected = { ...page.content, boilerplate: page.boilerplate };
    scored.push({
      page,
      plain: scoreText(readPlain(page), expected),
      defuddle: scoreText(await readDefuddle(page), expected),
      ours: scoreText(readOurs(page), expected),
    });
  }
  return scored;
}

const computeShare = (pages: readonly Scored[], reader: ReaderName, measure: Measure): Share =>
  sumShares(pages.map((page) => page[reader][measure]));

const buildTotalSection = (pages: readonly Scored[]): Section => ({
  title: `Structure: ${pages.length} pages, ${computeShare(pages, "ours", "facts").whole} facts`,
  note: `Cross-validated: facts kept ${readCrossValidated()("structure, facts")}, boilerplate included ${readCrossValidated()("structure, boilerplate")}. Target: facts kept ≥ ${MIN_FACTS}, boilerplate included ≤ ${MAX_BOILERPLATE}. A row is kept if its cells are on one line, in order, without another row; a caption if it is next to its table.`,
  columns: ["", "facts kept", "rows as rows", "captions by their table", "boilerplate included"],
  rows: READERS.map((reader) => [
    TITLES[reader],
    ...(["facts", "rows", "captions", "boilerplate"] as const).map((measure) => formatShare(computeShare(pages, reader, measure))),
  ]),
});

function buildGroupSection(title: string, pages: readonly Scored[], getName: (page: StructurePage) => string): Section {
  const groups = Map.groupBy(pages, ({ page }) => getName(page));
  return {
    title,
    columns: ["", "pages", "facts: Readability", "Defuddle", "Tessera", "rows: Tessera", "boilerplate: Readability", "Defuddle", "Tessera"],
    rows: [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, group]) => [
        name,
        String(group.length),
        ...READERS.map((reader) => formatShare(computeShare(group, reader, "facts"))),
        formatShare(computeShare(group, "ours", "rows")),
        ...READERS.map((reader) => formatShare(computeShare(group, reader, "boilerplate"))),
      ]),
  };
}

/** Lists the facts that the cleaner loses, or the boilerplate that it includes, page by page. */
function buildLossSection(title: string, pages: readonly Scored[], listLosses: (score: PageScore) => readonly string[]): Section {
  const lossy = pages.filter(({ ours }) => listLosses(ours).length > 0);
  return {
    title: `${title}: ${lossy.length} pages`,
    columns: ["page", "number", "which"],
    rows: lossy
      .sort((a, b) => listLosses(b.ours).length - listLosses(a.ours).length)
      .map(({ page, ours }) => [page.id, String(listLosses(ours).length), listLosses(ours).join(" · ").replaceAll("|", "/")]),
  };
}

function buildFigures(pages: readonly Scored[]): readonly Figure[] {
  const detail = (measure: Measure): string => `Readability ${formatShare(computeShare(pages, "plain", measure))}`;
  const value = (measure: Measure): number => toNumber(computeShare(pages, "ours", measure));
  return [
    { name: "facts kept in structures", value: value("facts"), unit: "share", min: MIN_FACTS, detail: detail("facts") },
    { name: "boilerplate included", value: value("boilerplate"), unit: "share", max: MAX_BOILERPLATE, detail: detail("boilerplate") },
  ];
}

/**
 * Measures pages whose facts are in structures: tables, lists, boxes, captions, addresses. They are part of the benchmark; the real
 * pages of the other parts are added if their data is present.
 */
export const runStructure: Part = async ({ data }): Promise<Report> => {
  const pages = await readPages(composePages());
  const real = measureRealPages(data);
  return {
    figures: buildFigures(pages),
    sections: [
      buildTotalSection(pages),
      buildGroupSection("Structure by kind", pages, ({ content }) => content.kind),
      buildGroupSection("Structure by layout", pages, ({ layout }) => layout),
      ...(real === null ? [] : [real]),
      buildLossSection("Facts that Tessera loses", pages, ({ missing }) => missing),
      buildLossSection("Boilerplate that Tessera includes", pages, ({ included }) => included),
    ],
  };
};
