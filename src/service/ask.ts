import { assembleContext } from "#retrieval/context.ts";
import { type Citation, answerExtractively } from "#retrieval/answer.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import { type SearchResult, searchBoard } from "#retrieval/search.ts";
import type { Passage } from "#retrieval/passage.ts";
import type { BoardAsker, BoardReader } from "./access.ts";
import type { Deps } from "./deps.ts";

/** Passages looked at for one answer. */
const PASSAGES = 24;

export type Answer = {
  readonly answer: string;
  readonly contextTokens: number;
  readonly answered: boolean;
  readonly mode: "extractive";
  readonly citations: readonly Citation[];
  readonly explain?: Explanation;
};

type Explanation = {
  readonly budgetTokens: number;
  readonly candidates: readonly {
    readonly tileId: string;
    readonly start: number;
    readonly end: number;
    readonly score: number;
    readonly parts: { readonly lexical: number; readonly semantic: null; readonly rerank: null };
    readonly used: boolean;
    readonly reason: string;
  }[];
};

/** Answers a question from the board's connected content, with sentences of it, word for word. */
export async function askBoard(deps: Deps, scope: BoardAsker, question: string, isExplained: boolean): Promise<Answer> {
  const { search } = deps.store;
  const { businessId, id } = scope.target;
  const budgetTokens = deps.settings.askContextTokens;
  const isConnected = await search.hasConnected(businessId, id);
  const retrieval = await retrieve({ search, analyse: (items) => deps.analyser.analyse(items) }, businessId, id, question, {
    limit: PASSAGES,
  });
  const isEmpty = retrieval.passages.length === 0;
  const context = assembleContext(retrieval.passages, budgetTokens, isEmpty ? () => 0 : await deps.loadTokenCounter());
  const { answer, answered, citations } = answerExtractively({ ...retrieval, passages: context.used }, { connected: isConnected });
  const explain = { budgetTokens, candidates: [...context.used.map(explainUsed), ...context.skipped.map(explainSkipped)] };
  return { answer, contextTokens: context.tokens, answered, mode: "extractive", citations, ...(isExplained ? { explain } : {}) };
}

const explainUsed = (passage: Passage) => candidateOf(passage, true, "in the context");
const explainSkipped = ({ passage, reason }: { readonly passage: Passage; readonly reason: string }) => candidateOf(passage, false, reason);

const candidateOf = ({ tileId, start, end, score }: Passage, used: boolean, reason: string) => ({
  tileId,
  start,
  end,
  score,
  parts: { lexical: score, semantic: null, rerank: null },
  used,
  reason,
});

/** The connected tiles that match best, one row each, best first. */
export function search(deps: Deps, scope: BoardReader, query: string, limit: number): Promise<SearchResult[]> {
  const { businessId, id } = scope.target;
  return searchBoard({ search: deps.store.search, analyse: (items) => deps.analyser.analyse(items) }, businessId, id, query, limit);
}
