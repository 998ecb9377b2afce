import type { Embedder, PassageEmbeddings, UnembeddedTile } from "#domain/answers/vectors.ts";
import { splitForEmbedding } from "#retrieval/semantic/split-for-embedding.ts";
import { sumVectors, toBinaryEmbedding } from "#retrieval/semantic/binary-embedding.ts";

type Chunk = UnembeddedTile["chunks"][number];
type Passage = { readonly document: number; readonly sentences: readonly string[] };

/** The progress of embedding a tile: the passages before index `next` are done. */
export type EmbeddingProgress = { next: number; readonly embeddings: PassageEmbeddings[] };

export const createProgress = (): EmbeddingProgress => ({ next: 0, embeddings: [] });

/** Sentences in one call of the embedder, which takes about a second. Between calls, the load and the stop signal are checked. */
const BATCH_SENTENCES = 64;

/**
 * Embeds a tile's next passages, about `BATCH_SENTENCES` sentences, and adds the binary embeddings to `progress`. Passages in languages
 * that the model does not support are skipped. Returns the number of embedded sentences. Throws the embedder's errors.
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
  // The number of passages is limited too, because detecting an unsupported language takes time.
  for (let seen = 0; next < tile.chunks.length && count < BATCH_SENTENCES && seen < BATCH_SENTENCES; next++, seen++) {
    const passage = toPassage(tile, tile.chunks[next] as Chunk, embedder);
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
    progress.embeddings.push({
      document,
      passage: toBinaryEmbedding(sum),
      sentences: concatBytes(passageVectors.map(toBinaryEmbedding)),
    });
  }
  progress.next = next;
  return count;
}

function toPassage({ text }: UnembeddedTile, { document, start, end }: Chunk, embedder: Embedder): Passage | null {
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
