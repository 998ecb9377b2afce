import { createHash } from "node:crypto";
import { type SetBoard, type SetName, type SetQuestion, readSet, selectEvenly } from "../quality/search/sets.ts";
import type { Half } from "./descent.ts";

const SEED = "tessera-fit-1";

/** A set whose questions are divided into halves. */
export type FitSet = { readonly name: SetName; readonly boards: readonly SetBoard[] };

/** Reads the sets; absent sets are skipped. */
export const readSets = (data: string, names: readonly SetName[]): FitSet[] =>
  names.flatMap((name) => {
    const boards = readSet(data, name);
    return boards === null ? [] : [{ name, boards }];
  });

/**
 * Questions of one half, by board, evenly spread and at most `sample` of the set. Questions of one article or meeting belong to the
 * same half, so that the held-out half contains nothing that the fit has seen.
 */
export function selectQuestions(
  { name, boards }: FitSet,
  half: Half,
  sample: number,
  isWanted: (question: SetQuestion) => boolean,
): SetQuestion[][] {
  const selected = boards.map((board) => {
    const titles = new Map(board.documents.map(({ id, title }) => [id, title]));
    const getGroup = (question: SetQuestion): string => {
      if (boards.length > 1) return board.name;
      const title = name === "squad" && question.source !== null ? titles.get(question.source) : undefined;
      return title ?? question.id;
    };
    return board.questions.filter((question) => isWanted(question) && getHalf(`${name}:${getGroup(question)}`) === half);
  });
  const kept = new Set(selectEvenly(selected.flat(), sample));
  return selected.map((questions) => questions.filter((question) => kept.has(question)));
}

const getHalf = (group: string): Half =>
  (createHash("sha256").update(`${SEED}:${group}`).digest()[0] as number) % 2 === 0 ? "training" : "held out";
