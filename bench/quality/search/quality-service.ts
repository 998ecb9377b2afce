import { NO_LOG } from "#domain/core/log.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "#config";
import { type Authorized, type Permission, checkBusinessAccess } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import { newId } from "#domain/core/system.ts";
import type { NewTile } from "#domain/content/tile-store.ts";
import { openAppContext } from "#composition/app-context.ts";
import type { Analysis } from "#domain/answers/analysis.ts";
import type { Analyser } from "#domain/answers/search.ts";
import { authorizeBoard } from "#service/access.ts";
import type { Deps } from "#service/deps.ts";
import type { SetDocument } from "./sets.ts";
import { type CachedEmbedder, CACHE, cacheVectors } from "./vectors.ts";

/** A document, with further fields of its tile. */
export type Content = SetDocument & Partial<Pick<NewTile, "type" | "sourceUrl" | "segments" | "metadata">>;

/** A filled board, with the document of each tile. */
export type FilledBoard = {
  readonly scope: Authorized<Board, Permission | "manage">;
  readonly businessId: string;
  readonly id: string;
  readonly documentByTile: ReadonlyMap<string, string>;
};

/** A service without a server, on an SQLite file in a temporary folder. */
export type QualityService = {
  /** The dependencies of the service. */
  readonly deps: Deps;
  /** The same without an embedder, and with a cached one if vectors are on. */
  readonly wordsOnly: Deps;
  readonly withVectors: Deps | null;
  fill(name: string, documents: readonly Content[]): Promise<FilledBoard>;
  /** Indexes every tile, by default with the analyser of the service; returns the seconds it took. */
  index(analyser?: Pick<Analyser, "analyse">): Promise<number>;
  /**
   * Embeds all tiles and the questions, so that no question waits for its vector. Reports the expected duration, and returns the
   * actual one.
   */
  embed(name: string, questions: readonly string[]): Promise<Embedding>;
  close(): Promise<void>;
};

export type Embedding = { readonly seconds: number; readonly sentences: number };

const CREATE_BATCH = 500;
const INDEX_BATCH = 128;
const EMBED_BATCH = 128;
const BATCH_CHARACTERS = 400_000;
/** Duration of a sentence on an idle machine, and the interval of progress messages, in milliseconds. */
const SENTENCE_MS = 15;
const PROGRESS_INTERVAL_MS = 60_000;
const NEVER = new AbortController().signal;

/** A question without its vector would distort the measurement. */
const fail = (fields: object, message: string): never => {
  throw new Error(`${message} ${JSON.stringify(fields)}`);
};
const log = (line: string): void => void process.stderr.write(`${line}\n`);

/** Opens a service in a new folder of `parent`; the embedding model is loaded with the first text. */
export async function openQualityService(hasVectors: boolean, parent = tmpdir()): Promise<QualityService> {
  const folder = mkdtempSync(join(parent, "tessera-quality-"));
  const context = await openAppContext(readConfig({ DATA_DIR: folder, EMBEDDINGS: hasVectors ? "local" : "off" }));
  const { deps } = context;
  const { store } = deps;
  const actor = { kind: "operator", businessId: await findFirstBusiness(deps) } as const;
  const cached = deps.embedder === null ? null : cacheVectors(deps.embedder);
  /** Texts to embed; a text on several boards is embedded once. */
  const pendingTexts = new Set<string>();

  return {
    deps,
    wordsOnly: { ...deps, embedder: null },
    withVectors: cached === null ? null : { ...deps, embedder: cached.embedder, log: { ...NO_LOG, warn: fail } },
    async fill(name, documents) {
      const business = await store.boards.business(actor.businessId);
      const id = newId("brd", deps.clock.now());
      const draft = { id, name, slug: `set-${id.slice(-12)}` };
      await store.boards.create(checkBusinessAccess(actor, business, "manage"), draft, deps.clock.now());
      const scope = await authorizeBoard(deps, actor, id, "manage");
      const documentByTile = new Map<string, string>();
      for (let at = 0; at < documents.length; at += CREATE_BATCH) {
        const tiles = documents.slice(at, at + CREATE_BATCH).map((document) => createTile(deps, document, documentByTile));
        const outcome = await store.tiles.createMany(
          tiles.map((tile) => ({ scope, tile })),
          deps.clock.now(),
        );
        const failed = outcome.replayed ? undefined : outcome.value.find((created) => created instanceof Error);
        if (failed !== undefined) throw failed;
      }
      for (const { text } of documents) pendingTexts.add(text);
      return { scope, businessId: actor.businessId, id, documentByTile };
    },
    async index(analyser = deps.analyser) {
      const started = performance.now();
      for (;;) {
        const tiles = await store.search.pending(INDEX_BATCH, BATCH_CHARACTERS);
        if (tiles.length === 0) return (performance.now() - started) / 1_000;
        const analyses = await analyser.analyse(tiles);
        await store.search.index(tiles.map((tile, at) => ({ tile, analysis: analyses[at] as Analysis })));
      }
    },
    async embed(name, questions) {
      if (cached === null) return { seconds: 0, sentences: 0 };
      const sentences = [...pendingTexts].reduce((sum, text) => sum + cached.countSentences(text), 0);
      const minutes = Math.ceil((sentences * SENTENCE_MS) / 60_000);
      log(
        `${name}: vectors of about ${sentences.toLocaleString("en")} sentences, up to ${minutes} min on an idle machine; those of earlier runs are read from ${CACHE}.`,
      );
      const done = await embedAll(deps, cached, name);
      pendingTexts.clear();
      await embedQuestions(cached, questions);
      return done;
    },
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function embedAll({ store }: Deps, cached: CachedEmbedder, name: string): Promise<Embedding> {
  const started = performance.now();
  let lastLogged = started;
  let sentences = 0;
  await store.vectors.useModel(cached.embedder.model);
  for (;;) {
    const tiles = await store.vectors.unembedded(EMBED_BATCH, BATCH_CHARACTERS);
    if (tiles.length === 0) break;
    // In parallel, so that the model's batches are full.
    const computed = await Promise.all(tiles.map((tile) => cached.embed(tile)));
    await store.vectors.embed(tiles.map((tile, at) => ({ tile, embeddings: computed[at]?.embeddings ?? [] })));
    for (const { embedded } of computed) sentences += embedded;
    if (performance.now() - lastLogged < PROGRESS_INTERVAL_MS) continue;
    lastLogged = performance.now();
    log(`${name}: ${sentences.toLocaleString("en")} sentences embedded.`);
  }
  return { seconds: (performance.now() - started) / 1_000, sentences };
}

async function embedQuestions({ embedder }: CachedEmbedder, questions: readonly string[]): Promise<void> {
  const accepted = [...new Set(questions)].filter((question) => embedder.accepts(question));
  for (let at = 0; at < accepted.length; at += EMBED_BATCH) {
    await embedder.embed(accepted.slice(at, at + EMBED_BATCH), { isUrgent: false, signal: NEVER });
  }
}

async function findFirstBusiness({ store }: Deps): Promise<string> {
  const [business] = await store.boards.businesses();
  if (business === undefined) throw new Error("The new store has no business.");
  return business.id;
}

function createTile(deps: Deps, document: Content, documentByTile: Map<string, string>): NewTile {
  const id = newId("til", deps.clock.now());
  documentByTile.set(id, document.id);
  return {
    id,
    zoneId: null,
    type: document.type ?? "TEXT",
    title: document.title,
    titleOverridden: true,
    rawContent: document.sourceUrl ?? document.text,
    extractedText: document.text,
    sourceUrl: document.sourceUrl ?? null,
    metadata: document.metadata ?? {},
    externalId: null,
    ...(document.segments === undefined ? {} : { segments: document.segments }),
    job: null,
  };
}
