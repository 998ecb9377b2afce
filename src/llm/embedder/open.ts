import type { Embedder } from "#domain/answers/vectors.ts";
import { createLocalEmbedder } from "./local.ts";
import { cacheUrgent } from "./cache.ts";
import { createRemoteEmbedder, type RemoteSettings } from "./openai-compatible.ts";

/** Settings; empty if not set. */
export type EmbeddingSettings = RemoteSettings & { readonly kind: "local" | "off" | "openai-compatible" };

/** Questions whose vectors are cached; about 3 MB. */
const MAX_CACHED_QUESTIONS = 500;

/** Creates the configured embedder, which loads its model for the first text; null if vectors are off. */
export function openEmbedder(settings: EmbeddingSettings, detectLanguage: (text: string) => string | null): Embedder | null {
  if (settings.kind === "off") return null;
  const embedder =
    settings.kind === "local"
      ? createLocalEmbedder({ detectLanguage })
      : createRemoteEmbedder(settings, async () => (await import("../fetch.ts")).createModelFetch());
  return cacheUrgent(embedder, MAX_CACHED_QUESTIONS);
}
