import { invalid } from "#domain/core/errors/error.ts";
import { detachSources } from "../../answer/detach.ts";
import type { NumberedSource } from "#retrieval/grounding/prompt.ts";
import type { Steps } from "#retrieval/key-passages/steps.ts";
import { type FittedSources, fitSources, newNonce } from "../../answer/sources.ts";
import { createCountTokens } from "../../answer/tokens.ts";
import type { Deps } from "../../deps.ts";
import { runSteps } from "../../work-queue.ts";
import type { Material } from "../material.ts";
import { chunkTile, distinctPassages } from "../passages.ts";

const NOTHING_FITS = "No passage of the connected content fits into the context of the model. The operator can raise ASK_CONTEXT_TOKENS.";
/** Characters kept on each side of a passage, for quotation marks and brackets beside a quote. */
const CONTEXT_CHARACTERS = 200;

/** If the material has at most this many characters, the model gets all of it. */
const MAX_SMALL_BOARD_CHARACTERS = 200_000;
/** Key sentences whose passages are given to a model. */
const MAX_KEY_SENTENCES = 300;

/** What a model is given of the material. */
export type ChosenSources = FittedSources & { readonly nonce: string; readonly isUnmatched: boolean };

/** Chooses the passages that fit into the context. They keep nothing else of the material in memory. Throws 400 if none fits. */
export async function chooseSources(
  deps: Pick<Deps, "tokenCounter" | "log" | "settings">,
  material: Material,
  signal: AbortSignal,
): Promise<ChosenSources> {
  const nonce = newNonce();
  const passages = await runSteps(selectPassages(material), signal);
  const { sources, tokens } = await fitSources(passages, deps.settings.askContextTokens, nonce, createCountTokens(deps, signal));
  if (sources.length === 0) throw invalid(NOTHING_FITS, "no_content");
  return { sources: detachSources(sources, CONTEXT_CHARACTERS), tokens, nonce, isUnmatched: material.isUnmatched };
}

/** Selects the passages for a model, most relevant first. */
function* selectPassages({ texts, ranking, passages, isBoard }: Material): Steps<NumberedSource[]> {
  if (!isBoard) return [...passages];
  const chunks = new Map<number, NumberedSource[]>();
  const chosen = new Set<NumberedSource>();
  for (const { source, start } of ranking.sentences.slice(0, MAX_KEY_SENTENCES)) {
    yield;
    let own = chunks.get(source);
    if (own === undefined) chunks.set(source, (own = chunkTile((texts[source] as Material["texts"][number]).tile)));
    const passage = own.find((chunk) => start >= chunk.start && start < chunk.end);
    if (passage !== undefined) chosen.add(passage);
  }
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  const rest: NumberedSource[] = [];
  // Add all other passages of a small board, such as tables, as far as the context allows.
  if (length <= MAX_SMALL_BOARD_CHARACTERS) {
    for (const { tile } of texts) {
      rest.push(...chunkTile(tile));
      yield;
    }
  }
  return distinctPassages([...passages, ...chosen, ...rest]);
}
