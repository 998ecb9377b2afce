import type { Embedder, PassageSignatures, UnembeddedTile } from "#domain/answers/vectors.ts";
import { splitForEmbedding } from "#retrieval/semantic/split-for-embedding.ts";
import { sumVectors, toBinaryEmbedding } from "#retrieval/semantic/binary-embedding.ts";

type Chunk = UnembeddedTile["chunks"][number];
type Passage = { readonly document: number; readonly sentences: readonly string[] };

/** How far a tile is: the passages before `next` are done. */
export type Progress = { next: number; readonly signatures: PassageSignatures[] };

export const noProgress = (): Progress => ({ next: 0, signatures: [] });

/** Sentences that go to the embedder in one call: a second's work, after which a stop or a busy server is heeded. */
const BATCH_TILES = 64;

/**
 * Makes signatures of a tile's next passages, those of about `BATCH_TILES` sentences, and notes them in `progress`. Passages in languages
 * that the embedder was not made for get none. Answers how many sentences were embedded. Throws what the embedder throws.
 */
export async function embedPassages(tile: UnembeddedTile, progress: Progress, embedder: Embedder, signal: AbortSignal): Promise<number> {
  const passages: Passage[] = [];
  let count = 0;
  let { next } = progress;
  // What is not accepted costs time as well, so passages are counted too.
  for (let seen = 0; next < tile.chunks.length && count < BATCH_TILES && seen < BATCH_TILES; next++, seen++) {
    const passage = passageOf(tile, tile.chunks[next] as Chunk, embedder);
    if (passage === null) continue;
    passages.push(passage);
    count += passage.sentences.length;
  }
  const texts = passages.flatMap(({ sentences }) => sentences);
  const vectors = texts.length === 0 ? [] : await embedder.embed(texts, { isUrgent: false, signal });
  let from = 0;
  for (const { document, sentences } of passages) {
    const own = vectors.slice(from, (from += sentences.length));
    const mean = sumVectors(own);
    if (mean !== null)
      progress.signatures.push({ document, passage: toBinaryEmbedding(mean), sentences: join(own.map(toBinaryEmbedding)) });
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

function join(signatures: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(signatures.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const signature of signatures) {
    joined.set(signature, at);
    at += signature.length;
  }
  return joined;
}
