import type { Deps } from "../deps.ts";

export type ModelStatus = {
  /** The language model; null when answers are extractive. */
  readonly model: { readonly provider: string; readonly name: string } | null;
  readonly embeddings: { readonly kind: "local" | "off" | "openai-compatible"; readonly model: string | null };
};

const REMOTE = "openai-compatible/";

/** Returns the configured models. Does not call them and reveals no API key. */
export function readModelStatus({ model, embedder }: Pick<Deps, "model" | "embedder">): ModelStatus {
  return { model: model === null ? null : splitName(model.name), embeddings: describeEmbedder(embedder) };
}

/** Splits `provider/name` at the first slash, since the name may contain slashes. */
function splitName(name: string): { readonly provider: string; readonly name: string } {
  const slash = name.indexOf("/");
  return { provider: name.slice(0, Math.max(slash, 0)), name: name.slice(slash + 1) };
}

function describeEmbedder(embedder: Deps["embedder"]): ModelStatus["embeddings"] {
  if (embedder === null) return { kind: "off", model: null };
  return embedder.model.startsWith(REMOTE)
    ? { kind: "openai-compatible", model: embedder.model.slice(REMOTE.length) }
    : { kind: "local", model: embedder.model };
}
