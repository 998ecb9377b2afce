import { computeMean } from "../../output/numbers.ts";

type Grades = Readonly<Record<string, number>>;

const computeGain = (grade: number, at: number): number => grade / Math.log2(at + 2);

/** Normalised discounted cumulative gain of a ranking, best first, with linear gains (Järvelin and Kekäläinen 2002). */
export function ndcg(ranked: readonly string[], grades: Grades, depth = 10): number {
  const found = ranked.slice(0, depth).reduce((sum, id, at) => sum + computeGain(grades[id] ?? 0, at), 0);
  const best = Object.values(grades)
    .sort((a, b) => b - a)
    .slice(0, depth)
    .reduce((sum, grade, at) => sum + computeGain(grade, at), 0);
  return best === 0 ? 0 : found / best;
}

/** Share of the relevant documents among the first. */
export function recall(ranked: readonly string[], grades: Grades, depth: number): number {
  const relevant = Object.values(grades).filter((grade) => grade > 0).length;
  return relevant === 0 ? 0 : ranked.slice(0, depth).filter((id) => (grades[id] ?? 0) > 0).length / relevant;
}

export const computeShare = <T>(items: readonly T[], matches: (item: T) => boolean): number =>
  computeMean(items.map((item) => (matches(item) ? 1 : 0)));

const fold = (text: string): string => text.toLowerCase().replaceAll(/\s+/gu, " ").trim();

/** Whether a text contains one of the answers, ignoring case and white space. Empty answers are ignored. */
export function containsAnswer(answers: readonly string[], text: string): boolean {
  const folded = fold(text);
  return answers.map(fold).some((answer) => answer !== "" && folded.includes(answer));
}

/** Whether a board contains the answer to a question, and whether the service answered it. */
export type AnswerDecision = { readonly isAnswerable: boolean; readonly isAnswered: boolean };

/** Mean of two shares: answered questions among those that the board can answer, declined ones among the others. */
export function balancedAccuracy(decisions: readonly AnswerDecision[]): number {
  const answerable = decisions.filter(({ isAnswerable }) => isAnswerable);
  const unanswerable = decisions.filter(({ isAnswerable }) => !isAnswerable);
  return (computeShare(answerable, ({ isAnswered }) => isAnswered) + computeShare(unanswerable, ({ isAnswered }) => !isAnswered)) / 2;
}
