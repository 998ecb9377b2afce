import { actorId } from "#domain/core/access.ts";
import { assembleContext } from "#retrieval/answer/context.ts";
import { type Citation, answerExtractively } from "#retrieval/answer/extractive.ts";
import type { TileType } from "#domain/content/tile.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import { type SearchOptions, type SearchResult, searchBoard } from "#retrieval/search/search.ts";
import type { Passage } from "#retrieval/passage.ts";
import type { BoardAsker, BoardReader } from "../access.ts";
import { askModel } from "./ask-model.ts";
import type { Listener } from "./model.ts";
import type { Deps } from "../deps.ts";
import { retrievalDeps } from "./retrieval.ts";
import { requireZoneOn } from "../content/tiles.ts";

/** What has none of a question's words may still be cited as the nearest where it is this near in meaning (a cosine). */
const MIN_SIMILARITY = 0.35;
/** Passages looked at for one answer. */
const PASSAGES = 24;

/** A citation; `seconds` is when it is said, where its tile is a transcript. */
export type TimedCitation = Citation & { readonly seconds?: number };

export type Answer = {
  readonly answer: string;
  readonly contextTokens: number;
  readonly answered: boolean;
  readonly mode: "model" | "extractive";
  /** What a reader should know of how it was made, such as why no model answered. */
  readonly notice?: string;
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
    readonly parts: Passage["parts"];
    readonly used: boolean;
    readonly reason: string;
  }[];
};

/** Where nobody can go away. */
const NOBODY: Listener = { signal: new AbortController().signal };

/**
 * Answers a question from the board's connected content: by the language model where one is configured and there is something to
 * give it, else, and where it fails, with sentences of the content, word for word. 402 when the key's budget is spent, 429 when too many of
 * its questions are being answered.
 */
export function askBoard(
  deps: Deps,
  scope: BoardAsker,
  question: string,
  isExplained: boolean,
  listener: Listener = NOBODY,
): Promise<Answer> {
  const { actor } = scope;
  const work = (): Promise<Answer> => answerQuestion(deps, scope, question, isExplained, listener);
  return deps.questionQueue?.run(work, { owner: actorId(actor), signal: listener.signal }) ?? work();
}

/** What counts the tokens of nothing. */
const NO_TOKENS = (): number => 0;

async function answerQuestion(deps: Deps, scope: BoardAsker, question: string, isExplained: boolean, listener: Listener): Promise<Answer> {
  const { search } = deps.store;
  const { businessId, id } = scope.target;
  const budgetTokens = deps.settings.askContextTokens;
  const isConnected = await search.hasConnected(businessId, id);
  const [retrieval, countTokens] = await Promise.all([
    retrieve(retrievalDeps(deps), businessId, id, question, { limit: PASSAGES, minSimilarity: MIN_SIMILARITY }),
    // After a start the first question pays for loading it, while the question's vector is made in another thread.
    isConnected ? deps.loadTokenCounter() : NO_TOKENS,
  ]);
  const context = assembleContext(retrieval.passages, budgetTokens, countTokens);
  const extractive = answerExtractively(question, { ...retrieval, passages: context.used }, { connected: isConnected });
  const explain = {
    budgetTokens,
    candidates: [
      ...context.used.map((passage) => candidateOf(passage, true, "in the context")),
      ...context.skipped.map(({ passage, reason }) => candidateOf(passage, false, reason)),
      ...retrieval.others.map((passage) => candidateOf(passage, false, "ranked_too_low")),
    ],
  };
  const said = isConnected
    ? await askModel(deps, scope, question, { passages: context.used, nearest: extractive.citations }, listener)
    : {};
  const { citations, ...answer } = { ...extractive, contextTokens: context.tokens, mode: "extractive" as const, ...said };
  return { ...answer, citations: await timeCitations(deps, businessId, citations), ...(isExplained ? { explain } : {}) };
}

/** Kinds that never have a time; their tiles need not be read again. */
const UNTIMED: ReadonlySet<TileType> = new Set(["TEXT", "WEBSITE", "PDF", "DOCUMENT", "FEED"]);

/** Adds to citations of transcripts when they are said. */
export async function timeCitations({ store }: Deps, businessId: string, citations: readonly Citation[]): Promise<TimedCitation[]> {
  const ids = new Set(citations.filter(({ type }) => !UNTIMED.has(type)).map(({ tileId }) => tileId));
  const found = await Promise.all([...ids].map((id) => store.tiles.find(businessId, id)));
  const segments = new Map(found.flatMap((tile) => (tile === null ? [] : [[tile.id, tile.segments] as const])));
  return citations.map(({ sentenceStart, ...citation }) => {
    const { start, end } = citation;
    const said = segments.get(citation.tileId)?.find((segment) => segment.end > (sentenceStart ?? start) && segment.start < end);
    return said === undefined ? citation : { ...citation, seconds: said.seconds };
  });
}

const candidateOf = ({ tileId, start, end, score, parts }: Passage, used: boolean, reason: string) => ({
  tileId,
  start,
  end,
  score,
  parts,
  used,
  reason,
});

export type { SearchResult };

/** The tiles that match best, one row each, best first, of the connected content or of everything; 400 where the filter names a zone of another board. */
export async function search(deps: Deps, scope: BoardReader, query: string, options: SearchOptions): Promise<SearchResult[]> {
  const { businessId, id } = scope.target;
  const zoneId = options.filter?.zoneId;
  if (zoneId !== undefined) await requireZoneOn(deps, scope, zoneId);
  return searchBoard(retrievalDeps(deps), businessId, id, query, options);
}
