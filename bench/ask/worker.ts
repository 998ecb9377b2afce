import { askBoard } from "#service/answer/ask.ts";
import type { Deps } from "#service/deps.ts";
import { splitForEmbedding } from "#retrieval/semantic/split-for-embedding.ts";
import { randomFrom } from "../output/random-text.ts";
import { openWorld } from "../quality/search/world.ts";
import { type Lap, watchStages } from "./stage-timer.ts";
import { createWriter } from "./text-generator.ts";

/** What is measured: a board of so many tiles and questions asked of it, or the embedding of so many tiles. */
export type AskOrder =
  | { readonly kind: "ask"; readonly folder: string; readonly tiles: number; readonly questions: number; readonly hasVectors: boolean }
  | { readonly kind: "embed"; readonly folder: string; readonly tiles: number };

export type Asked = { readonly ms: number; readonly lap: Lap; readonly tokens: number };
export type AskOutcome = {
  readonly asked: readonly Asked[];
  /** Milliseconds: indexing of the board, by tile; embedding, by tile and by sentence. */
  readonly indexing: number;
  readonly embedding: { readonly perTile: number; readonly perSentence: number } | null;
};

const CHARACTERS = 500;
const WARM_UP = 30;
const BATCH_TILES = 200;
const BATCH_CHARACTERS = 400_000;
const NEVER = new AbortController().signal;

export async function serve(order: AskOrder): Promise<AskOutcome> {
  const world = await openWorld(order.kind === "embed" || order.hasVectors, order.folder);
  const writer = createWriter(order.tiles);
  const documents = Array.from({ length: order.tiles }, (_, n) => ({
    id: String(n),
    title: `Note ${n}`,
    text: writer.text(CHARACTERS),
  }));
  try {
    if (order.kind === "embed") return { asked: [], indexing: 0, embedding: await embed(world.deps, documents) };
    const board = await world.fill("Asked", documents);
    const indexing = ((await world.index()) * 1_000) / order.tiles;
    if (order.hasVectors) await markWithBits(world.deps);
    const { deps, time } = watchStages(world.deps);
    const asked: Asked[] = [];
    for (let n = -WARM_UP; n < order.questions; n++) {
      // A tile anywhere on the board, another one each time.
      const { text } = documents[(Math.abs(n) * 7_919) % documents.length] as { text: string };
      const question = writer.question(text);
      let tokens = 0;
      const { ms, lap } = await time(async () => {
        tokens = (await askBoard(deps, board.scope, question, false)).contextTokens;
      });
      if (n >= 0) asked.push({ ms, lap, tokens });
    }
    return { asked, indexing, embedding: null };
  } finally {
    await world.close();
  }
}

/** What the model takes, once it has been loaded. */
async function embed({ embedder }: Deps, documents: readonly { readonly text: string }[]): Promise<AskOutcome["embedding"]> {
  if (embedder === null) return null;
  const sentences = documents.flatMap(({ text }) => splitForEmbedding(text).map(({ start, end }) => text.slice(start, end)));
  await embedder.embed(sentences.slice(0, 1), { isUrgent: false, signal: NEVER });
  const started = performance.now();
  await embedder.embed(sentences, { isUrgent: false, signal: NEVER });
  const ms = performance.now() - started;
  return { perTile: ms / documents.length, perSentence: ms / sentences.length };
}

/** Gives each sentence random bits for a signature: embedding thousands of tiles would take longer than the whole benchmark. */
async function markWithBits({ store: { vectors }, embedder }: Deps): Promise<void> {
  if (embedder === null) return;
  await vectors.useModel(embedder.model);
  const [vector] = await embedder.embed(["The harbour opens at six."], { isUrgent: false, signal: NEVER });
  const bytes = (vector?.length ?? 0) >> 3;
  const random = randomFrom(5);
  const bits = (count: number): Uint8Array => Uint8Array.from({ length: count * bytes }, () => Math.floor(random() * 256));
  for (;;) {
    const tiles = await vectors.unembedded(BATCH_TILES, BATCH_CHARACTERS);
    if (tiles.length === 0) return;
    const items = tiles.map((tile) => ({
      tile,
      signatures: tile.chunks.map(({ document, start, end }) => ({
        document,
        passage: bits(1),
        sentences: bits(splitForEmbedding(tile.text.slice(start, end)).length),
      })),
    }));
    await vectors.embed(items);
  }
}
