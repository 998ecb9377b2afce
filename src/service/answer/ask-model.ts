import { type Citation, NOTHING_FOUND, ANSWER_NOT_FOUND } from "#retrieval/answer/extractive.ts";
import type { LanguageModel } from "#domain/model/model.ts";
import type { Passage } from "#retrieval/passage.ts";
import type { CountTokens } from "#retrieval/answer/token-counter.ts";
import type { BoardAsker } from "../access.ts";
import type { ModelDeps } from "../deps.ts";
import { requireBudget } from "../usage.ts";
import { answerWithModel, type Listener } from "./model.ts";
import { detachSources } from "./detach.ts";
import { type FittedSources, fitSources, newNonce, passageToSource, readWholeBoard } from "./sources.ts";

/** Characters kept on each side of a passage: headings and the first rows of tables are looked for in them. */
const CONTEXT_CHARACTERS = 4_000;
/** Nearest passages that are cited when the model did not find the answer. */
const MAX_NEAREST = 3;

/** The sources of one model call, with the word that separates them. */
export type ModelSources = FittedSources & { readonly nonce: string };

/** Fields that override those of the extractive answer. */
export type ModelPart = {
  readonly answer?: string;
  readonly answered?: boolean;
  readonly mode?: "model";
  readonly contextTokens?: number;
  readonly citations?: readonly Citation[];
  readonly notice?: string;
};

/** What the model is given: the whole board when it fits, and the passages otherwise. They keep no other text in memory. */
export async function readModelSources(
  deps: ModelDeps,
  scope: BoardAsker,
  passages: readonly Passage[],
  count: CountTokens,
): Promise<ModelSources> {
  const nonce = newNonce();
  const whole = await readWholeBoard(deps, scope, nonce, count);
  if (whole !== null) return { ...whole, nonce };
  const budget = deps.settings.askContextTokens;
  const { sources, tokens } = await fitSources(passages.map(passageToSource), budget, nonce, count);
  return { sources: detachSources(sources, CONTEXT_CHARACTERS), tokens, nonce };
}

/**
 * Asks the model. Returns its answer, only a notice when it failed, or nothing when there is no source. `nearest` are cited when the
 * answer was not found. Throws 402 when the key's budget is spent.
 */
export async function askModel(
  deps: ModelDeps,
  model: LanguageModel,
  { actor }: BoardAsker,
  question: string,
  { given, nearest }: { readonly given: ModelSources; readonly nearest: readonly Citation[] },
  listener: Listener,
): Promise<ModelPart> {
  if (given.sources.length === 0) return {};
  await requireBudget(deps, actor);
  const { kind, ...fields } = await answerWithModel(deps, model, actor, question, given, given.nonce, listener);
  if (kind === "failed") return fields;
  const common = { mode: "model", contextTokens: given.tokens } as const;
  if (kind === "answered") return { ...common, ...fields, answered: true };
  const citations = nearest.slice(0, MAX_NEAREST);
  return { ...common, answer: citations.length > 0 ? ANSWER_NOT_FOUND : NOTHING_FOUND, answered: false, citations };
}
