import type { Actor } from "#domain/core/access.ts";
import { invalid } from "#domain/core/errors/error.ts";
import type { Generation, GenerationResult, Idea, SourceQuote } from "#domain/answers/generation.ts";
import { newId } from "#domain/core/system.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import type { BoardAsker } from "../access.ts";
import { addTimes } from "../answer/citation-times.ts";
import { createCountTokens } from "../answer/tokens.ts";
import type { AnswerDeps, Deps, StoreDeps, WorkDeps } from "../deps.ts";
import { runSteps, toOwner } from "../work-queue.ts";
import { ASSETS } from "./assets/all.ts";
import { extractIdeas, extractOutline } from "./extractive.ts";
import { gatherMaterial, type Material } from "./material.ts";
import type { Outcome } from "./outcome.ts";
import { chooseSources } from "./model/choose-sources.ts";
import { findIdeas, writeAsset } from "./model/write.ts";

const NO_SENTENCES = "The connected content has no sentences to generate from. Add tiles with text, or connect a zone to chat.";

const IDEA_ENDPOINT = "/api/v1/idea";

/** Generates the result: reads the material, then lets the model write it or assembles quotes without a model. */
export async function generateResult(
  deps: AnswerDeps,
  scope: BoardAsker,
  generation: Generation,
  idea: Idea | null,
  signal: AbortSignal,
): Promise<Outcome> {
  const { request } = generation;
  const newIdeaId = (): string => newId("ide", deps.clock.now());
  const isIdea = generation.endpoint === IDEA_ENDPOINT;
  const inTurn = <T>(work: (material: Material) => Promise<T>): Promise<T> =>
    deps.materialQueue.run(
      async () => {
        const material = await gatherMaterial(deps, scope, request, idea, signal);
        if (material.texts.length === 0 || material.ranking.sentences.length === 0) throw invalid(NO_SENTENCES, "no_content");
        return work(material);
      },
      { owner: toOwner(scope.actor), signal, isAccepted: true },
    );
  const { model } = deps;
  const write = async (): Promise<GenerationResult> => {
    if (model === null) return inTurn((material) => extract(deps, material, generation, idea, newIdeaId, signal));
    const given = await inTurn((material) => chooseSources(deps, material, signal));
    const work = { actor: scope.actor, request, idea, ...given, newIdeaId };
    return isIdea ? findIdeas(deps, model, work, signal) : writeAsset(deps, model, work, signal);
  };
  const result = await write();
  const timed = await addTimesToResult(deps, scope.actor, result, signal);
  return { result: timed, tile: draftSavedTile(deps, generation, timed) };
}

/** Assembles the result from quotes of the material. */
async function extract(
  deps: Pick<Deps, "tokenCounter" | "log">,
  material: Material,
  { request, endpoint }: Generation,
  idea: Idea | null,
  newIdeaId: () => string,
  signal: AbortSignal,
): Promise<GenerationResult> {
  const steps =
    endpoint === IDEA_ENDPOINT
      ? extractIdeas(material, request, newIdeaId)
      : extractOutline(material, ASSETS[request.assetType ?? "post"], request, idea);
  const extracted = await runSteps(steps, signal);
  if (extracted === null) throw invalid(NO_SENTENCES, "no_content");
  const [contextTokens = 0] = await createCountTokens(deps, signal)([extracted.citations.map(({ quote }) => quote).join("\n")]);
  return { ...extracted, contextTokens };
}

/** Adds `seconds` to each citation of a transcript. */
async function addTimesToResult(deps: WorkDeps, actor: Actor, result: GenerationResult, signal: AbortSignal): Promise<GenerationResult> {
  const timed = await addTimes(deps, actor, result.citations, signal);
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
function draftSavedTile({ clock }: StoreDeps, { request }: Generation, { output }: GenerationResult): NewTile | null {
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
