import { assembleContext } from "#retrieval/context.ts";
import { type Citation, answerExtractively } from "#retrieval/answer.ts";
import type { TileType } from "#domain/tile.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import { type SearchResult, searchBoard } from "#retrieval/search.ts";
import type { Passage } from "#retrieval/passage.ts";
import type { BoardAsker, BoardReader } from "./access.ts";
import type { Deps } from "./deps.ts";

/** Passages looked at for one answer. */
const PASSAGES = 24;

/** A citation; `seconds` is when it is said, where its tile is a transcript. */
export type TimedCitation = Citation & { readonly seconds?: number };

export type Answer = {
  readonly answer: string;
  readonly contextTokens: number;
  readonly answered: boolean;
  readonly mode: "extractive";
  readonly citations: readonly TimedCitation[];
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
  const timed = await timeCitations(deps, businessId, citations);
  return { answer, contextTokens: context.tokens, answered, mode: "extractive", citations: timed, ...(isExplained ? { explain } : {}) };
}

/** Kinds that never have a time; their tiles need not be read again. */
const UNTIMED: ReadonlySet<TileType> = new Set(["TEXT", "WEBSITE", "PDF", "DOCUMENT", "FEED"]);

async function timeCitations({ store }: Deps, businessId: string, citations: readonly Citation[]): Promise<TimedCitation[]> {
  const ids = new Set(citations.filter(({ type }) => !UNTIMED.has(type)).map(({ tileId }) => tileId));
  const found = await Promise.all([...ids].map((id) => store.tiles.find(businessId, id)));
  const segments = new Map(found.flatMap((tile) => (tile === null ? [] : [[tile.id, tile.segments] as const])));
  return citations.map((citation) => {
    const said = segments.get(citation.tileId)?.findLast(({ start }) => start <= citation.start);
    return said === undefined || said.end <= citation.start ? citation : { ...citation, seconds: said.seconds };
  });
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
