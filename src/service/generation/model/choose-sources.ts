import { invalid } from "#domain/core/error.ts";
import { detachSources } from "../../answer/detach.ts";
import { type FittedSources, fitSources, newNonce } from "../../answer/sources.ts";
import type { Deps } from "../../deps.ts";
import { runSteps } from "../../work-queue.ts";
import type { Material } from "../material.ts";
import { selectPassages } from "../passages.ts";

const NOTHING_FITS = "No passage of the connected content fits into the context of the model. The operator can raise ASK_CONTEXT_TOKENS.";
/** Characters kept on each side of a passage, for quotation marks and brackets beside a quote. */
const CONTEXT_CHARACTERS = 200;

/** What a model is given of the material. */
export type ChosenSources = FittedSources & { readonly nonce: string; readonly isUnmatched: boolean };

/** Chooses the passages that fit into the context. They keep nothing else of the material in memory. Throws 400 if none fits. */
export async function chooseSources(deps: Deps, material: Material, signal: AbortSignal): Promise<ChosenSources> {
  const nonce = newNonce();
  const passages = await runSteps(selectPassages(material), signal);
  const { sources, tokens } = await fitSources(passages, deps.settings.askContextTokens, nonce, await deps.loadTokenCounter());
  if (sources.length === 0) throw invalid(NOTHING_FITS);
  return { sources: detachSources(sources, CONTEXT_CHARACTERS), tokens, nonce, isUnmatched: material.isUnmatched };
}
