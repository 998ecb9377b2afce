import { type Citation, NOTHING_FOUND, ANSWER_NOT_FOUND } from "#retrieval/answer/extractive.ts";
import type { Passage } from "#retrieval/passage.ts";
import type { BoardAsker } from "../access.ts";
import type { Deps } from "../deps.ts";
import { requireBudget } from "../usage.ts";
import { answerWithModel, type Listener } from "./model.ts";
import { fitSources, newNonce, passageSource, readWholeBoard } from "./sources.ts";

/** Passages that are cited as the nearest where a model did not find the answer. */
const NEAREST = 3;

/** What takes the place of fields of the extractive answer. */
export type ModelPart = {
  readonly answer?: string;
  readonly answered?: boolean;
  readonly mode?: "model";
  readonly contextTokens?: number;
  readonly citations?: readonly Citation[];
  readonly notice?: string;
};

/**
 * What the model makes of a question: the whole answer; no more than a notice where it failed; nothing where none is configured
 * or there is nothing to give it. `passages` are given where the board is too large to be given whole, `nearest` are cited where
 * the answer is not found. 402 when the key's budget is spent.
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
  const given =
    (await readWholeBoard(deps, scope, nonce)) ??
    (await fitSources(found.passages.map(passageSource), settings.askContextTokens, nonce, await deps.loadTokenCounter()));
  if (given.sources.length === 0) return {};
  await requireBudget(deps, scope.actor);
  const { kind, ...said } = await answerWithModel(deps, model, scope.actor, question, given, nonce, listener);
  if (kind === "failed") return said;
  const common = { mode: "model", contextTokens: given.tokens } as const;
  if (kind === "answered") return { ...common, ...said, answered: true };
  const citations = found.nearest.slice(0, NEAREST);
  return { ...common, answer: citations.length > 0 ? ANSWER_NOT_FOUND : NOTHING_FOUND, answered: false, citations };
}
