import { type Citation, NOTHING_FOUND, ANSWER_NOT_FOUND } from "#retrieval/answer/extractive.ts";
import type { Passage } from "#retrieval/passage.ts";
import type { BoardAsker } from "../access.ts";
import type { Deps } from "../deps.ts";
import { requireBudget } from "../usage.ts";
import { runStepInTurn } from "../work-queue.ts";
import { answerWithModel, type Listener } from "./model.ts";
import { fitSources, newNonce, passageToSource, readWholeBoard } from "./sources.ts";
import { createCountTokens } from "./tokens.ts";

/** Nearest passages that are cited when the model did not find the answer. */
const MAX_NEAREST = 3;

/** Fields that override those of the extractive answer. */
export type ModelPart = {
  readonly answer?: string;
  readonly answered?: boolean;
  readonly mode?: "model";
  readonly contextTokens?: number;
  readonly citations?: readonly Citation[];
  readonly notice?: string;
};

/**
 * Asks the model. Returns its answer, only a notice when it failed, or nothing when no model is configured or there is no source.
 * The model gets the whole board when it fits, and `passages` otherwise. `nearest` are cited when the answer was not found.
 * Throws 402 when the key's budget is spent.
 */
export async function askModel(
  deps: Deps,
  scope: BoardAsker,
  question: string,
  found: { readonly passages: readonly Passage[]; readonly nearest: readonly Citation[] },
  listener: Listener,
): Promise<ModelPart> {
  const { model, settings } = deps;
  if (model === null) return {};
  const nonce = newNonce();
  const count = createCountTokens(deps, listener.signal);
  const readSources = async () =>
    (await readWholeBoard(deps, scope, nonce, count)) ??
    (await fitSources(found.passages.map(passageToSource), settings.askContextTokens, nonce, count));
  const given = await runStepInTurn(deps, scope.actor, readSources, listener.signal);
  if (given.sources.length === 0) return {};
  await requireBudget(deps, scope.actor);
  const { kind, ...fields } = await answerWithModel(deps, model, scope.actor, question, given, nonce, listener);
  if (kind === "failed") return fields;
  const common = { mode: "model", contextTokens: given.tokens } as const;
  if (kind === "answered") return { ...common, ...fields, answered: true };
  const citations = found.nearest.slice(0, MAX_NEAREST);
  return { ...common, answer: citations.length > 0 ? ANSWER_NOT_FOUND : NOTHING_FOUND, answered: false, citations };
}
