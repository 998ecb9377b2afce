import type { Actor } from "#domain/core/access.ts";
import { DEFAULT_IDEAS, type GenerationResult, type GenerationRequest, type Idea } from "#domain/answers/generation.ts";
import { type LanguageModel, ModelError, UNBILLED_FAILURES, estimateUsage } from "#domain/model/model.ts";
import { NO_USAGE } from "#domain/model/usage.ts";
import type { ModelDeps } from "../../deps.ts";
import { logModelFailure } from "../../answer/log-failure.ts";
import { recordUsage, requireBudget } from "../../usage.ts";
import { ASSETS } from "../assets/all.ts";
import { distinctQuotes } from "../extractive.ts";
import type { ChosenSources } from "./choose-sources.ts";
import { createUserPrompt, createSystemPrompt } from "./prompt.ts";
import { type ModelInput, type ModelOutput, parseIdeas, parseAsset } from "./parse-output.ts";
import { IDEAS, ASSET } from "./output-schema.ts";

/** Maximum output of a generation, as a multiple of that of an answer. */
const MAX_OUTPUT_ANSWERS = 4;
/** Model calls for one generation: one retry when the output does not match the schema. */
const MAX_CALLS = 2;

const TOO_SLOW = "The language model did not answer in time. Try again, or request a shorter text.";
const INVALID_OUTPUT = "The language model returned invalid output. Try again, or use another model.";
const NO_MATCH = "No connected content matches the prompt, so the model received the main topics of the board instead.";

/** The input of one generation. */
export type Work = ChosenSources & {
  readonly actor: Actor;
  readonly request: GenerationRequest;
  readonly idea: Idea | null;
  newIdeaId(): string;
};

/** Lets the model write an asset from the sources. Throws a `ModelError`, or the signal's reason. */
export async function writeAsset(deps: ModelDeps, model: LanguageModel, work: Work, signal: AbortSignal): Promise<GenerationResult> {
  const asset = ASSETS[work.request.assetType ?? "post"];
  const { value, contextTokens } = await callModel(deps, model, work, null, (answer, given) => parseAsset(answer, asset, given), signal);
  const { sections } = value;
  const title = [...value.title].slice(0, deps.settings.maxTitle).join("");
  const output = { title, text: asset.compose(title, sections), sections };
  return { mode: "model", output, ideas: null, citations: distinctQuotes(sections), contextTokens, ...getNotice(work) };
}

/** Lets the model find ideas in the sources. Throws a `ModelError`, or the signal's reason. */
export async function findIdeas(deps: ModelDeps, model: LanguageModel, work: Work, signal: AbortSignal): Promise<GenerationResult> {
  const count = work.request.count ?? DEFAULT_IDEAS;
  const read = (answer: unknown, given: ModelInput) => parseIdeas(answer, count, work.newIdeaId, given);
  const { value: ideas, contextTokens } = await callModel(deps, model, work, count, read, signal);
  return { mode: "model", output: null, ideas, citations: distinctQuotes(ideas), contextTokens, ...getNotice(work) };
}

const getNotice = ({ isUnmatched }: Work): { readonly notice?: string } => (isUnmatched ? { notice: NO_MATCH } : {});

/** Calls the model, and retries once when the output is invalid. `count` is the number of ideas, or null for an asset. */
async function callModel<T>(
  deps: ModelDeps,
  model: LanguageModel,
  { actor, request, idea, sources, tokens, nonce }: Work,
  count: number | null,
  read: (answer: unknown, given: ModelInput) => ModelOutput<T>,
  signal: AbortSignal,
): Promise<{ readonly value: T; readonly contextTokens: number }> {
  const system = createSystemPrompt(request, count !== null);
  const given = { sources, system, nonce };
  const prompt = createUserPrompt(request, idea, sources, nonce, count);
  const endpoint = count === null ? "generate" : "idea";
  let correction = "";
  for (let calls = 1; ; calls++) {
    const answer = await ask(calls === MAX_CALLS);
    if (answer.ok) return { value: answer.value, contextTokens: tokens };
    correction = `\n${nonce} your last answer was refused: ${answer.problem}. Return the complete answer again, in the given format.`;
  }

  /** Makes one call. Throws for every failure, except for invalid output when a retry is left. */
  async function ask(isLast: boolean): Promise<ModelOutput<T>> {
    // Check again, since other calls may have spent the budget while this one waited.
    await requireBudget(deps, actor);
    signal.throwIfAborted();
    const format = count === null ? { schema: ASSET, schemaName: "draft" } : { schema: IDEAS, schemaName: "ideas" };
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new ModelError("timeout", TOO_SLOW)), deps.settings.llmTimeoutMs);
    const limits = {
      maxOutputTokens: MAX_OUTPUT_ANSWERS * deps.settings.llmMaxOutputTokens,
      signal: AbortSignal.any([signal, deadline.signal]),
    };
    let value: unknown;
    try {
      const answered = await model.object({ system, prompt: prompt + correction, ...limits, ...format });
      await recordUsage(deps, actor, { endpoint, usage: answered.usage });
      ({ value } = answered);
    } catch (error) {
      if (!(error instanceof ModelError) && !signal.aborted) throw error;
      const failure = signal.aborted || !(error instanceof ModelError) ? null : error;
      // The provider charges the input of failed and cancelled calls too, so they count against the budget.
      const isFree = failure !== null && UNBILLED_FAILURES.has(failure.failure);
      const usage = failure?.usage ?? (isFree ? NO_USAGE : estimateUsage({ system, prompt: prompt + correction }, 0));
      await recordUsage(deps, actor, { endpoint, usage, outcome: failure === null ? "cancelled" : failure.failure });
      if (failure === null) throw error;
      logModelFailure(deps.log, failure);
      if (failure.failure !== "wrong_answer" || isLast) throw failure;
      return { ok: false, problem: "it is not valid JSON" };
    } finally {
      clearTimeout(timer);
    }
    const result = read(value, given);
    if (result.ok || !isLast) return result;
    throw new ModelError("wrong_answer", INVALID_OUTPUT, { cause: new Error(result.problem) });
  }
}
