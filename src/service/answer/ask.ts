import { assembleContext } from "#retrieval/answer/context.ts";
import { type Citation, answerExtractively } from "#retrieval/answer/extractive.ts";
import { DECLINED, recogniseUtterance, type Utterance } from "#retrieval/answer/question/utterance.ts";
import { copyString } from "#retrieval/text/characters.ts";
import { retrieve } from "#retrieval/retrieve.ts";
import { type SearchOptions, type SearchResult, searchBoard } from "#retrieval/search/search.ts";
import type { Passage } from "#retrieval/passage.ts";
import type { BoardAsker, BoardReader } from "../access.ts";
import { askModel, type ModelSources, readModelSources } from "./ask-model.ts";
import type { Listener } from "./model.ts";
import type { AnswerDeps, SearchDeps } from "../deps.ts";
import { addTimes, type TimedCitation } from "./citation-times.ts";
import { createRetrievalDeps } from "./retrieval.ts";
import { runInTurn, runStepInTurn, toOwner } from "../work-queue.ts";
import { requireZoneOn } from "../content/tiles.ts";
import { meterQuestion } from "./meter-question.ts";
import { createCountTokens } from "./tokens.ts";

/** Minimum cosine similarity at which a passage without any word of the question may be cited as nearest. */
const MIN_SIMILARITY = 0.35;
/** Passages retrieved for one answer. */
const MAX_PASSAGES = 24;

export type Answer = {
  readonly answer: string;
  readonly contextTokens: number;
  readonly answered: boolean;
  readonly mode: "model" | "extractive";
  /** Tells the reader how the answer was produced, such as why no model answered. */
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

/** For callers that can't disconnect. */
const NO_LISTENER: Listener = { signal: new AbortController().signal };

/**
 * Answers a question from the board's connected content. Uses the language model when one is configured and there are sources, and
 * quotes sentences otherwise or when the model fails. Throws 402 when the key's budget is spent, and 429 when too many of its
 * questions are running.
 */
export function askBoard(
  deps: AnswerDeps,
  scope: BoardAsker,
  question: string,
  isExplained: boolean,
  listener: Listener = NO_LISTENER,
): Promise<Answer> {
  const { actor } = scope;
  const work = (): Promise<Answer> => answerQuestion(deps, scope, question, isExplained, listener);
  const ask = (): Promise<Answer> => deps.questionQueue.run(work, { owner: toOwner(actor), signal: listener.signal });
  return meterQuestion(deps.meter, listener.signal, ask);
}

async function answerQuestion(
  deps: AnswerDeps,
  scope: BoardAsker,
  question: string,
  isExplained: boolean,
  listener: Listener,
): Promise<Answer> {
  const utterance = recogniseUtterance(question);
  if (utterance !== null) return decline(deps, utterance, isExplained);
  const { model } = deps;
  const read = (): Promise<Reading> => readBoard(deps, scope, question, isExplained, listener.signal);
  const { extractive, contextTokens, explain, given } = await runStepInTurn(deps, scope.actor, read, listener.signal);
  const modelPart =
    model === null || given === null
      ? {}
      : await askModel(deps, model, scope, question, { given, nearest: extractive.citations }, listener);
  const { citations, ...answer } = { ...extractive, contextTokens, mode: "extractive" as const, ...modelPart };
  return { ...answer, citations: await addTimes(deps, scope.actor, citations, listener.signal), ...(isExplained ? { explain } : {}) };
}

/** Says why a text is not answered, before anything is read. */
function decline({ settings }: AnswerDeps, utterance: Utterance, isExplained: boolean): Answer {
  const explain = isExplained ? { explain: { budgetTokens: settings.askContextTokens, candidates: [] } } : {};
  return { answer: DECLINED[utterance], answered: false, contextTokens: 0, mode: "extractive", citations: [], ...explain };
}

/** What is kept of a board for an answer while the model writes one. */
type Reading = {
  readonly extractive: ReturnType<typeof answerExtractively>;
  readonly contextTokens: number;
  readonly explain: Explanation;
  /** Null without a model or connected content. */
  readonly given: ModelSources | null;
};

/** Finds the passages of an answer, and assembles the one that quotes them. */
async function readBoard(
  deps: AnswerDeps,
  scope: BoardAsker,
  question: string,
  isExplained: boolean,
  signal: AbortSignal,
): Promise<Reading> {
  const { businessId, id } = scope.target;
  const budgetTokens = deps.settings.askContextTokens;
  const connected = await deps.store.search.hasConnected(businessId, id);
  // The first question loads the token counter while the passages are found.
  if (connected) deps.tokenCounter.prepare();
  const limits = { limit: MAX_PASSAGES, minSimilarity: MIN_SIMILARITY, isDistinct: true };
  const retrieval = await retrieve(createRetrievalDeps(deps, signal), businessId, id, question, limits);
  const countTokens = createCountTokens(deps, signal);
  const context = await assembleContext(retrieval.passages, budgetTokens, countTokens);
  const extractive = answerExtractively(question, { ...retrieval, passages: context.used }, { connected });
  const candidates = [
    ...context.used.map((passage) => toCandidate(passage, true, "in the context")),
    ...context.skipped.map(({ passage, reason }) => toCandidate(passage, false, reason)),
    ...retrieval.duplicates.map((passage) => toCandidate(passage, false, "duplicate")),
    ...retrieval.others.map((passage) => toCandidate(passage, false, "ranked_too_low")),
  ];
  return {
    extractive: { ...extractive, citations: extractive.citations.map(detachCitation) },
    contextTokens: context.tokens,
    explain: { budgetTokens, candidates: isExplained ? candidates : [] },
    given: deps.model === null || !connected ? null : await readModelSources(deps, scope, context.used, countTokens),
  };
}

/** A quote is cut from a text, which would stay in memory with it. */
const detachCitation = (citation: Citation): Citation => ({ ...citation, quote: copyString(citation.quote) });

const toCandidate = ({ tileId, start, end, score, parts }: Passage, used: boolean, reason: string) => ({
  tileId,
  start,
  end,
  score,
  parts,
  used,
  reason,
});

export type { SearchResult };

/**
 * Searches the connected content or the whole board. Returns one row per tile, best first. Throws 400 for a zone of another board, and
 * 429 when too much work of the caller is waiting. An abort ends the wait.
 */
export async function search(
  deps: SearchDeps,
  scope: BoardReader,
  query: string,
  options: SearchOptions,
  signal?: AbortSignal,
): Promise<SearchResult[]> {
  const { businessId, id } = scope.target;
  const zoneId = options.filter?.zoneId;
  if (zoneId !== undefined) await requireZoneOn(deps, scope, zoneId);
  return runInTurn(deps, scope.actor, () => searchBoard(createRetrievalDeps(deps, signal), businessId, id, query, options), signal);
}
