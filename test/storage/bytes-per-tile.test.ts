import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Store } from "#domain/store.ts";
import { analyse } from "#retrieval/lexical/analyse.ts";
import { splitForEmbedding } from "#retrieval/semantic/split-for-embedding.ts";
import { openStore as openPostgres } from "#storage/postgres/store.ts";
import { openStore as openSqlite } from "#storage/sqlite/store.ts";
import { createTextGenerator } from "../../bench/ask/text-generator.ts";
import { createEmbedding } from "../contract/search/binary-embedding.ts";
import { addBoard, seedBusiness, T0, textTile } from "../support/boards.ts";
import { newMigratedDatabase } from "../support/postgres/migrated.ts";
import { newFolder } from "./folder.ts";

/** With 1,000 boards, the bytes of a tile differ by 2%. */
const BOARDS = 100;
const TILES = 10;
const VECTOR_BYTES = 64;

/** Fills boards of ten notes of 500 characters, and indexes and embeds them as a server does. */
async function fillBoards(store: Store): Promise<void> {
  const { manage } = await seedBusiness(store);
  const { text } = createTextGenerator(7);
  await store.vectors.useModel("model-a");
  for (let i = 0; i < BOARDS; i++) {
    const { scope } = await addBoard(store, manage, `Board ${i}`);
    const items = Array.from({ length: TILES }, () => ({ scope, tile: textTile(text(460)) }));
    await store.tiles.createMany(items, T0);
    const pending = await store.search.pending(TILES, 1_000_000);
    await store.search.index(pending.map((tile) => ({ tile, analysis: analyse(tile) })));
    const tiles = await store.vectors.unembedded(TILES, 1_000_000);
    await store.vectors.embed(
      tiles.map((tile) => ({
        tile,
        embeddings: tile.chunks.map(({ document, start, end }) => {
          const sentences = splitForEmbedding(tile.text.slice(start, end)).map((_, n) => createEmbedding(`${document} ${n}`, VECTOR_BYTES));
          return { document, passage: createEmbedding(`${document}`, VECTOR_BYTES), sentences: Buffer.concat(sentences) };
        }),
      })),
    );
  }
  expect((await store.tiles.counts()).indexPending).toBe(0);
}

/** Expects the kilobytes that docs/deploy.md states for a tile. */
function expectDocumented(engine: string, bytes: number): void {
  const page = readFileSync(join(import.meta.dirname, "../../docs/deploy.md"), "utf8");
  const stated = new RegExp(String.raw`A tile of 500 characters takes .*?([\d.]+) kB on ${engine}`).exec(page)?.[1];
  const perTile = bytes / (BOARDS * TILES) / 1_000;
  const text = `${perTile.toFixed(2)} kB a tile on ${engine}, documented are ${stated}`;
  expect(perTile, text).toBeGreaterThan(Number(stated) * 0.85);
  expect(perTile, text).toBeLessThan(Number(stated) * 1.15);
}

test("a tile on SQLite takes the documented space, on small boards too", { timeout: 300_000 }, async () => {
  const file = join(newFolder(), "tessera.sqlite");
  const store = openSqlite(file);
  await store.close();
  const empty = statSync(file).size;
  const filled = openSqlite(file);
  await fillBoards(filled);
  await filled.close();
  expectDocumented("SQLite", statSync(file).size - empty);
});

test("a tile on PostgreSQL takes the documented space, on small boards too", { timeout: 300_000 }, async () => {
  const database = await newMigratedDatabase();
  const store = await openPostgres({ url: database.url, connections: 4 });
  onTestFinished(async () => {
    await store.close();
    await database.drop();
  });
  const empty = await store.statistics.databaseBytes();
  await fillBoards(store);
  expectDocumented("PostgreSQL", (await store.statistics.databaseBytes()) - empty);
});
