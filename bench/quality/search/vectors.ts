import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder, PassageEmbeddings, UnembeddedTile } from "#domain/answers/vectors.ts";
import { embedPassages, createProgress } from "#ingest/vectors/embed-passages.ts";
import { splitForEmbedding } from "#retrieval/semantic/split-for-embedding.ts";

/** Folder in which vectors are cached between runs. */
export const CACHE = join(tmpdir(), "tessera-bench-vectors");

const KEY_BYTES = 16;
const HEAD_BYTES = KEY_BYTES + 4;
const NEVER = new AbortController().signal;

/** Byte strings by the digest of their input, in an append-only file: key, length (UInt32LE), bytes. */
export type ByteCache = { get(key: Buffer): Uint8Array | undefined; set(key: Buffer, bytes: Uint8Array): void };

/** Opens or creates the cache in `file`; an entry that an interrupted run left incomplete is removed. */
export function openByteCache(file: string): ByteCache {
  const known = new Map<string, Uint8Array>();
  if (existsSync(file)) {
    const all = readFileSync(file);
    let at = 0;
    while (at + HEAD_BYTES <= all.length) {
      const end = at + HEAD_BYTES + all.readUInt32LE(at + KEY_BYTES);
      if (end > all.length) break;
      known.set(all.toString("latin1", at, at + KEY_BYTES), all.subarray(at + HEAD_BYTES, end));
      at = end;
    }
    if (at < all.length) truncateSync(file, at);
  }
  return {
    get: (key) => known.get(key.toString("latin1")),
    set(key, bytes) {
      const head = Buffer.alloc(HEAD_BYTES);
      key.copy(head);
      head.writeUInt32LE(bytes.length, KEY_BYTES);
      appendFileSync(file, Buffer.concat([head, bytes]));
      known.set(key.toString("latin1"), bytes);
    },
  };
}

/** An embedder with a cache on disk: vectors of questions, and binary embeddings of passages by their sentences. */
export type CachedEmbedder = {
  readonly embedder: Embedder;
  /** Returns the binary embeddings of a tile, and the number of sentences that were not cached. */
  embed(tile: UnembeddedTile): Promise<{ readonly embeddings: readonly PassageEmbeddings[]; readonly embedded: number }>;
  /** Number of sentences that would be embedded; 0 for a language that the model does not support. */
  countSentences(text: string): number;
};

export function cacheVectors(embedder: Embedder, folder = CACHE): CachedEmbedder {
  mkdirSync(folder, { recursive: true });
  const cache = openByteCache(join(folder, `${embedder.model.replaceAll(/[^\w.-]+/g, "-")}.bin`));
  const computeKey = (kind: string, ...texts: readonly string[]): Buffer =>
    createHash("sha256")
      .update(JSON.stringify([embedder.model, kind, ...texts]))
      .digest()
      .subarray(0, KEY_BYTES);
  const splitSentences = (text: string): string[] => splitForEmbedding(text).map(({ start, end }) => text.slice(start, end));

  return {
    embedder: {
      model: embedder.model,
      accepts: (text) => embedder.accepts(text),
      prepare: () => embedder.prepare(),
      async embed(texts, options) {
        const vectors = texts.map((text) => cache.get(computeKey("text", text)));
        const missing = texts.filter((_, at) => vectors[at] === undefined);
        const embedded = missing.length === 0 ? [] : await embedder.embed(missing, options);
        missing.forEach((text, at) => cache.set(computeKey("text", text), toBytes(embedded[at])));
        let next = 0;
        return vectors.map((bytes) => (bytes === undefined ? (embedded[next++] ?? new Float32Array()) : toFloats(bytes)));
      },
      close: () => embedder.close(),
    },
    async embed(tile) {
      const embeddings: PassageEmbeddings[] = [];
      const missing: UnembeddedTile["chunks"][number][] = [];
      const keys = new Map<number, Buffer>();
      for (const chunk of tile.chunks) {
        const passage = tile.text.slice(chunk.start, chunk.end);
        if (!embedder.accepts(passage)) continue;
        const sentences = splitSentences(passage);
        const key = computeKey("passage", ...sentences);
        const bytes = cache.get(key);
        keys.set(chunk.document, key);
        // One embedding for the passage and one for each sentence, all of one size.
        const size = (bytes?.length ?? 0) / (sentences.length + 1);
        if (bytes === undefined) missing.push(chunk);
        else embeddings.push({ document: chunk.document, passage: bytes.subarray(0, size), sentences: bytes.subarray(size) });
      }
      const progress = createProgress();
      const rest = { ...tile, chunks: missing };
      let embedded = 0;
      while (progress.next < missing.length) embedded += await embedPassages(rest, progress, embedder, NEVER);
      for (const created of progress.embeddings) {
        const key = keys.get(created.document);
        if (key !== undefined) cache.set(key, Buffer.concat([created.passage, created.sentences]));
        embeddings.push(created);
      }
      return { embeddings, embedded };
    },
    countSentences: (text) => (embedder.accepts(text) ? splitSentences(text).filter((sentence) => sentence !== "").length : 0),
  };
}

function toBytes(vector: Float32Array | undefined): Uint8Array {
  if (vector === undefined) throw new Error("The embedding model returned no vector for a text.");
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** Copies the bytes, because floats must be aligned to four bytes. */
const toFloats = (bytes: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);
