import type { PassageEmbeddings, UnembeddedTile } from "#domain/answers/vectors.ts";

/** The length of a test embedding in bytes. */
export const BYTES = 8;

/** A test embedding derived from the words only; never all zero. */
export function createEmbedding(words: string, bytes = BYTES): Uint8Array {
  const embedding = new Uint8Array(bytes);
  let state = 2_166_136_261;
  for (const letter of words) state = Math.imul(state ^ letter.charCodeAt(0), 16_777_619);
  for (let i = 0; i < bytes; i++) {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_507) + i;
    embedding[i] = state >>> 16;
  }
  embedding[0]! |= 1;
  return embedding;
}

/** The embedding of a tile's passage, by its text and its position in the tile. */
export const createPassageEmbedding = (text: string, place: number): Uint8Array => createEmbedding(`${text} passage ${place}`);

export const createTileVectors = (tile: UnembeddedTile): PassageEmbeddings[] =>
  tile.chunks.map(({ document }, i) => ({
    document,
    passage: createPassageEmbedding(tile.text, i),
    sentences: Buffer.concat(Array.from({ length: i % 3 }, (_, s) => createEmbedding(`${tile.text} ${i} sentence ${s}`))),
  }));

export const embedded = (tiles: readonly UnembeddedTile[]) => tiles.map((tile) => ({ tile, embeddings: createTileVectors(tile) }));
