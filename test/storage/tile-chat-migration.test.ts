import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Database } from "#storage/postgres/engine/database.ts";
import { migrate as migratePostgres, readMigrations as readPostgresMigrations } from "#storage/postgres/engine/migrate.ts";
import { openStore as openPostgres } from "#storage/postgres/store.ts";
import { Connection } from "#storage/sqlite/engine/database.ts";
import { migrate, readMigrations } from "#storage/sqlite/engine/migrate.ts";
import { openStore as openSqlite } from "#storage/sqlite/store.ts";
import type { Store } from "#domain/store.ts";
import { newDatabase } from "../support/postgres/databases.ts";
import { newFolder } from "./folder.ts";

const STEP = readMigrations().find(({ name }) => name.includes("tile-chat"))!.number;

/** Tiles as earlier versions wrote them; `%f` is replaced by false. */
const ROWS = `
  INSERT INTO business (id, name, created_at) VALUES ('biz_a', 'Harbour Lab', 1);
  INSERT INTO board (number, business_id, id, name, slug, is_default, created_at, updated_at) VALUES (1, 'biz_a', 'brd_a', 'Main', 'main', %t, 1, 1);
  INSERT INTO generation (business_id, id, board_id, endpoint, status, tile_id, created_at, updated_at, request) VALUES
    ('biz_a', 'gen_a', 'brd_a', '/api/v1/generate', 'complete', 'til_known', 1, 1, '{}'),
    ('biz_a', 'gen_b', 'brd_a', '/api/v1/generate', 'complete', NULL, 1, 1, '{}');
  INSERT INTO tile (business_id, id, board_id, sequence, type, status, title, title_by_hand, text_by_hand, %indexed, sort_order, created_at, updated_at, metadata, extracted_text) VALUES
    ('biz_a', 'til_note', 'brd_a', 1, 'TEXT', 'ready', 'Note', %f, %f, %f, 1, 1, 1, NULL, 'A note'),
    ('biz_a', 'til_page', 'brd_a', 2, 'TEXT', 'ready', 'Page', %f, %f, %f, 2, 1, 1, '{"author":"A. Writer"}', 'A page'),
    ('biz_a', 'til_known', 'brd_a', 3, 'TEXT', 'ready', 'Piece', %f, %f, %f, 3, 1, 1, NULL, 'A piece'),
    ('biz_a', 'til_moved', 'brd_a', 4, 'TEXT', 'ready', 'Imported piece', %f, %f, %f, 4, 1, 1, '{"subtype":"GENERATED"}', 'An imported piece');`;

async function expectSwitches(store: Store): Promise<void> {
  const found = await Promise.all(["til_note", "til_page", "til_known", "til_moved"].map((id) => store.tiles.find("biz_a", id)));
  expect(found.map((tile) => [tile?.connectedToChat, tile?.metadata])).toEqual([
    [null, {}],
    [null, { author: "A. Writer" }],
    [false, { origin: "generation" }],
    [false, { subtype: "GENERATED", origin: "generation" }],
  ]);
}

it("drafts saved by earlier versions are not used in answers after the upgrade, on SQLite", async () => {
  const file = join(newFolder(), "tessera.sqlite");
  const db = new Connection(file);
  migrate(
    db,
    readMigrations().filter(({ number }) => number < STEP),
  );
  db.raw.exec(ROWS.replaceAll("%f", "0").replaceAll("%t", "1").replace("%indexed", "indexed"));
  db.close();
  const store = openSqlite(file);
  onTestFinished(() => store.close());
  await expectSwitches(store);
});

it("drafts saved by earlier versions are not used in answers after the upgrade, on PostgreSQL", async () => {
  const database = await newDatabase();
  onTestFinished(() => database.drop());
  const db = new Database({ url: database.url, connections: 1 });
  await migratePostgres(
    db,
    readPostgresMigrations().filter(({ number }) => number < STEP),
  );
  await db.write((tx) => tx.executeSql(ROWS.replaceAll("%f", "FALSE").replaceAll("%t", "TRUE").replace("%indexed", "is_indexed")));
  await db.close();
  const store = await openPostgres({ url: database.url, connections: 2 });
  await expectSwitches(store);
  await store.close();
});
