import type { Embedder, PassageSignatures, UnembeddedTile } from "#domain/answers/vectors.ts";
import { splitForEmbedding } from "#retrieval/semantic/split-for-embedding.ts";
import { sumVectors, toBinaryEmbedding } from "#retrieval/semantic/binary-embedding.ts";

type Chunk = UnembeddedTile["chunks"][number];
type Passage = { readonly document: number; readonly sentences: readonly string[] };

/** How far the embedding of a tile is: the passages before index `next` are done. */
export type EmbeddingProgress = { next: number; readonly signatures: PassageSignatures[] };

export const noProgress = (): EmbeddingProgress => ({ next: 0, signatures: [] });

/** Sentences in one call of the embedder. They take about a second; in between, stopping and a busy server are checked. */
const BATCH_SENTENCES = 64;

/**
 * Embeds a tile's next passages, about `BATCH_SENTENCES` sentences, and adds the binary embeddings to `progress`. Passages in languages
 * that the model does not support get none. Returns the number of embedded sentences. Throws what the embedder throws.
 */
export async function embedPassages(
  tile: UnembeddedTile,
  progress: EmbeddingProgress,
  embedder: Embedder,
  signal: AbortSignal,
): Promise<number> {
  const passages: Passage[] = [];
  let count = 0;
  let { next } = progress;
  // Detecting an unsupported language takes time as well, so passages are counted too.
  for (let seen = 0; next < tile.chunks.length && count < BATCH_SENTENCES && seen < BATCH_SENTENCES; next++, seen++) {
    const passage = passageOf(tile, tile.chunks[next] as Chunk, embedder);
    if (passage === null) continue;
    passages.push(passage);
    count += passage.sentences.length;
  }
  const texts = passages.flatMap(({ sentences }) => sentences);
  const vectors = texts.length === 0 ? [] : await embedder.embed(texts, { isUrgent: false, signal });
  let from = 0;
  for (const { document, sentences } of passages) {
    const passageVectors = vectors.slice(from, (from += sentences.length));
    const sum = sumVectors(passageVectors);
    if (sum === null) continue;
    progress.signatures.push({
      document,
      passage: toBinaryEmbedding(sum),
      sentences: concatBytes(passageVectors.map(toBinaryEmbedding)),
    });
  }
  progress.next = next;
  return count;
}

function passageOf({ text }: UnembeddedTile, { document, start, end }: Chunk, embedder: Embedder): Passage | null {
  const passage = text.slice(start, end);
  if (!embedder.accepts(passage)) return null;
  const sentences = splitForEmbedding(passage).map((span) => passage.slice(span.start, span.end));
  return sentences.length === 0 ? null : { document, sentences };
}

function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
