import { invalid } from "#domain/core/error.ts";
import type { Generation, GenerationResult, Idea, SourceQuote } from "#domain/answers/generation.ts";
import { newId } from "#domain/core/system.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import type { BoardAsker } from "../access.ts";
import { addTimes } from "../answer/ask.ts";
import { createCountTokens } from "../answer/tokens.ts";
import type { Deps } from "../deps.ts";
import { runStepInTurn } from "../work-queue.ts";
import { ASSETS } from "./assets/all.ts";
import { extractIdeas, extractOutline } from "./extractive.ts";
import { gatherMaterial, type Material } from "./material.ts";
import type { Outcome } from "./outcome.ts";
import { findIdeas, writeAsset } from "./model/write.ts";

const NO_SENTENCES = "The connected content has no sentences to generate from. Add tiles with text, or connect a zone to chat.";

/** Generates the result: reads the material, then lets the model write it or assembles quotes without a model. */
export async function generateResult(
  deps: Deps,
  scope: BoardAsker,
  generation: Generation,
  idea: Idea | null,
  signal: AbortSignal,
): Promise<Outcome> {
  const { request } = generation;
  const newIdeaId = (): string => newId("ide", deps.clock.now());
  const isIdea = generation.endpoint === "/api/v1/idea";
  const gather = async (): Promise<Material> => {
    const material = await gatherMaterial(deps, scope, request, idea, signal);
    if (material.texts.length === 0 || material.ranking.sentences.length === 0) throw invalid(NO_SENTENCES);
    return material;
  };
  const extract = async (): Promise<GenerationResult> => {
    const material = await gather();
    const extracted = isIdea
      ? extractIdeas(material, request, newIdeaId)
      : extractOutline(material, ASSETS[request.assetType ?? "post"], request, idea);
    if (extracted === null) throw invalid(NO_SENTENCES);
    const [contextTokens = 0] = await createCountTokens(deps, signal)([extracted.citations.map(({ quote }) => quote).join("\n")]);
    return { ...extracted, contextTokens };
  };
  let result: GenerationResult;
  // The material of a large board takes tens of megabytes. Without a model it is released with the turn.
  if (deps.model === null) result = await runStepInTurn(deps, scope.actor, extract, signal);
  else {
    const material = await runStepInTurn(deps, scope.actor, gather, signal);
    const work = { actor: scope.actor, request, idea, material, newIdeaId };
    result = isIdea ? await findIdeas(deps, deps.model, work, signal) : await writeAsset(deps, deps.model, work, signal);
  }
  const timed = await addTimesToResult(deps, scope.target.businessId, result);
  return { result: timed, tile: draftSavedTile(deps, generation, timed) };
}

/** Adds `seconds` to each citation of a transcript. */
async function addTimesToResult(deps: Deps, businessId: string, result: GenerationResult): Promise<GenerationResult> {
  const timed = await addTimes(deps, businessId, result.citations);
  const byPassage = new Map(timed.map((citation) => [getPassageKey(citation), citation]));
  const time = <T extends { readonly citations: readonly SourceQuote[] }>(part: T): T => ({
    ...part,
    citations: part.citations.map((citation) => byPassage.get(getPassageKey(citation)) ?? citation),
  });
  return {
    ...result,
    citations: timed,
    output: result.output === null ? null : { ...result.output, sections: result.output.sections.map(time) },
    ideas: result.ideas?.map(time) ?? null,
  };
}

const getPassageKey = ({ tileId, start, end }: SourceQuote): string => `${tileId} ${start} ${end}`;

/** Creates the tile that saves the output, when one was requested. Its metadata marks it as generated. */
function draftSavedTile({ clock }: Deps, { request }: Generation, { output }: GenerationResult): NewTile | null {
  if (request.saveToZoneId === undefined || output === null) return null;
  return {
    id: newId("til", clock.now()),
    zoneId: request.saveToZoneId,
    type: "TEXT",
    title: output.title,
    titleOverridden: true,
    rawContent: output.text,
    extractedText: output.text,
    sourceUrl: null,
    metadata: { subtype: "GENERATED", origin: "generation" },
    externalId: null,
    job: null,
  };
}
