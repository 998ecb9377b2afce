import { askBoard } from "#service/answer/ask.ts";
import type { Deps } from "#service/deps.ts";
import { splitForEmbedding } from "#retrieval/semantic/split-for-embedding.ts";
import { createRandom } from "../output/random-text.ts";
import { openQualityService } from "../quality/search/quality-service.ts";
import { StageTimer, type StageTimes } from "./stage-timer.ts";
import { createTextGenerator } from "./text-generator.ts";

/** Measures questions on a board of `tiles` tiles, or the embedding of `tiles` tiles. */
export type AskRequest =
  | { readonly kind: "ask"; readonly folder: string; readonly tiles: number; readonly questions: number; readonly hasVectors: boolean }
  | { readonly kind: "embed"; readonly folder: string; readonly tiles: number };

export type AskTiming = { readonly ms: number; readonly stageMs: StageTimes; readonly tokens: number };
export type AskMeasurements = {
  readonly timings: readonly AskTiming[];
  /** Milliseconds: indexing for each tile; embedding for each tile and each sentence. */
  readonly indexing: number;
  readonly embedding: { readonly perTile: number; readonly perSentence: number } | null;
};

const TILE_CHARACTERS = 500;
const WARM_UP = 30;
const BATCH_TILES = 200;
const BATCH_CHARACTERS = 400_000;
const NEVER_ABORTED = new AbortController().signal;

export async function serve(request: AskRequest): Promise<AskMeasurements> {
  const service = await openQualityService(request.kind === "embed" || request.hasVectors, request.folder);
  const generator = createTextGenerator(request.tiles);
  const documents = Array.from({ length: request.tiles }, (_, n) => ({
    id: String(n),
    title: `Note ${n}`,
    text: generator.text(TILE_CHARACTERS),
  }));
  try {
    if (request.kind === "embed") return { timings: [], indexing: 0, embedding: await embed(service.deps, documents) };
    const board = await service.fill("Asked", documents);
    const indexing = ((await service.index()) * 1_000) / request.tiles;
    if (request.hasVectors) await storeRandomEmbeddings(service.deps);
    const timer = new StageTimer(service.deps);
    const timings: AskTiming[] = [];
    for (let n = -WARM_UP; n < request.questions; n++) {
      // A different tile each time, spread over the board.
      const { text } = documents[(Math.abs(n) * 7_919) % documents.length] as { text: string };
      const question = generator.question(text);
      let tokens = 0;
      const { ms, stageMs } = await timer.time(async () => {
        tokens = (await askBoard(timer.deps, board.scope, question, false)).contextTokens;
      });
      if (n >= 0) timings.push({ ms, stageMs, tokens });
    }
    return { timings, indexing, embedding: null };
  } finally {
    await service.close();
  }
}

/** Measures the embedding model after it has been loaded. */
async function embed({ embedder }: Deps, documents: readonly { readonly text: string }[]): Promise<AskMeasurements["embedding"]> {
  if (embedder === null) return null;
  const sentences = documents.flatMap(({ text }) => splitForEmbedding(text).map(({ start, end }) => text.slice(start, end)));
  await embedder.embed(sentences.slice(0, 1), { isUrgent: false, signal: NEVER_ABORTED });
  const started = performance.now();
  await embedder.embed(sentences, { isUrgent: false, signal: NEVER_ABORTED });
  const ms = performance.now() - started;
  return { perTile: ms / documents.length, perSentence: ms / sentences.length };
}

/** Stores random bits as binary embeddings: embedding thousands of tiles would take longer than the whole benchmark. */
async function storeRandomEmbeddings({ store: { vectors }, embedder }: Deps): Promise<void> {
  if (embedder === null) return;
  await vectors.useModel(embedder.model);
  const [vector] = await embedder.embed(["The harbour opens at six."], { isUrgent: false, signal: NEVER_ABORTED });
  const bytes = (vector?.length ?? 0) >> 3;
  const random = createRandom(5);
  const randomBytes = (count: number): Uint8Array => Uint8Array.from({ length: count * bytes }, () => Math.floor(random() * 256));
  for (;;) {
    const tiles = await vectors.unembedded(BATCH_TILES, BATCH_CHARACTERS);
    if (tiles.length === 0) return;
    const items = tiles.map((tile) => ({
      tile,
      embeddings: tile.chunks.map(({ document, start, end }) => ({
        document,
        passage: randomBytes(1),
        sentences: randomBytes(splitForEmbedding(tile.text.slice(start, end)).length),
      })),
    }));
    await vectors.embed(items);
  }
}
