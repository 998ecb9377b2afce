import { cleanPage } from "#ingest/clean/page.ts";
import type { Model } from "#ingest/clean/model/model.ts";
import { computeMean } from "../../output/numbers.ts";
import type { SetPage } from "../../quality/data.ts";
import { type Match, matchSegments, matchShingles, scorePages, scoreTotal } from "../../quality/scores.ts";
import { composePages } from "../../quality/structure/pages.ts";
import { scoreText, type Share, sumShares } from "../../quality/structure/scores.ts";
import { PAGE_TYPES } from "#ingest/clean/type/page-type.ts";
import { isReferenceRight } from "../../quality/wcxb/data.ts";
import { LOST_F1, scoreWords } from "../../quality/wcxb/score.ts";
import { isInside } from "./folds.ts";
import { readSets } from "./sets.ts";

/** What was read of one page, compared with what it contains. */
export type Outcome =
  | {
      readonly set: "wcxb";
      readonly id: string;
      readonly type: string;
      readonly f1: number;
      readonly isLost: boolean;
      readonly isTypeRight: boolean;
    }
  | { readonly set: "articles" | "segments"; readonly id: string; readonly match: Match }
  | { readonly set: "structure"; readonly id: string; readonly facts: Share; readonly boilerplate: Share };

/** Reads the pages of one fold, or of all, with a model. */
export function measurePages(data: string, model: Model, fold?: number): Outcome[] {
  const { wcxb, articles, segments } = readSets(data);
  const isIn = (page: SetPage): boolean => fold === undefined || isInside(page, fold);
  const read = (page: SetPage): string => cleanPage(page, model).text;
  const outcomes: Outcome[] = [];
  for (const page of wcxb) {
    if (!isIn(page)) continue;
    const { text, pageType } = cleanPage(page, model);
    const f1 = scoreWords(page.truth, text);
    const isLost = f1 < LOST_F1 && isReferenceRight(page);
    outcomes.push({ set: "wcxb", id: page.id, type: page.type, f1, isLost, isTypeRight: pageType === page.type });
  }
  for (const page of articles.filter(isIn)) outcomes.push({ set: "articles", id: page.id, match: matchShingles(page.truth, read(page)) });
  for (const page of segments.filter(isIn))
    outcomes.push({ set: "segments", id: page.id, match: matchSegments(page.wanted, page.unwanted, read(page)) });
  for (const page of composePages().filter(isIn)) {
    const { facts, boilerplate } = scoreText(read(page), { ...page.content, boilerplate: page.boilerplate });
    outcomes.push({ set: "structure", id: page.id, facts, boilerplate });
  }
  return outcomes;
}

/** Sums outcomes up: figures by name, in the order of a table. */
export function summarise(outcomes: readonly Outcome[]): ReadonlyMap<string, number> {
  const pages = outcomes.filter((one) => one.set === "wcxb");
  const f1 = (type?: string): number =>
    computeMean(pages.filter((page) => type === undefined || page.type === type).map((page) => page.f1));
  const structure = outcomes.filter((one) => one.set === "structure");
  const share = (parts: readonly Share[]): number => {
    const { part, whole } = sumShares(parts);
    return part / Math.max(1, whole);
  };
  const matches = (set: Outcome["set"]): Match[] => outcomes.flatMap((one) => (one.set === set && "match" in one ? [one.match] : []));
  return new Map([
    ["WCXB", f1()],
    ...PAGE_TYPES.map((type) => [`WCXB, ${type}`, f1(type)] as const),
    [`WCXB, share under ${LOST_F1}`, pages.filter(({ isLost }) => isLost).length / Math.max(1, pages.length)],
    ["WCXB, page type right", pages.filter(({ isTypeRight }) => isTypeRight).length / Math.max(1, pages.length)],
    ["articles", scorePages(matches("articles")).f1],
    ["segments", scoreTotal(matches("segments")).f1],
    ["structure, facts", share(structure.map(({ facts }) => facts))],
    ["structure, boilerplate", share(structure.map(({ boilerplate }) => boilerplate))],
  ]);
}
