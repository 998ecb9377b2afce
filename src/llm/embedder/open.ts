import type { Embedder } from "#domain/answers/vectors.ts";
import { createLocalEmbedder } from "./local.ts";
import { rememberUrgent } from "./cache.ts";
import { createRemoteEmbedder, type RemoteSettings } from "./openai-compatible.ts";

/** The settings as they stand; empty text for what is not set. */
export type EmbeddingSettings = RemoteSettings & { readonly kind: "local" | "off" | "openai-compatible" };

/** Questions whose vectors are remembered, at most some 3 MB. */
const QUESTIONS = 500;

/** Makes the embedder that is configured, without loading anything before its first text; null where vectors are off. */
export function openEmbedder(settings: EmbeddingSettings, detectLanguage: (text: string) => string | null): Embedder | null {
  if (settings.kind === "off") return null;
  const embedder =
    settings.kind === "local"
      ? createLocalEmbedder({ detectLanguage })
      : createRemoteEmbedder(settings, async () => (await import("../fetch.ts")).createModelFetch());
  return rememberUrgent(embedder, QUESTIONS);
}
