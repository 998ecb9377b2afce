import { expect, it, onTestFinished } from "vitest";
import { Database } from "#storage/postgres/engine/database.ts";
import { migrate, readMigrations } from "#storage/postgres/engine/migrate.ts";
import { openStore } from "#storage/postgres/store.ts";
import { newDatabase } from "../../support/postgres/databases.ts";

/** Vectors as version 23 wrote them, in blocks of 2,048 slots, here of 4 bytes: documents 1, 2 and 2,048. */
const ROWS = `
  INSERT INTO business (id, name, created_at) VALUES ('biz_a', 'Harbour Lab', 1);
  INSERT INTO board (number, business_id, id, name, slug, is_default, created_at, updated_at) VALUES (1, 'biz_a', 'brd_a', 'Main', 'main', TRUE, 1, 1);
  INSERT INTO chunk (business_id, board_number, document, tile_id, start_at, end_at, length, sentence_signatures)
    SELECT 'biz_a', 1, document, 'til_a', 0, 9, 2, '\\x0f000000' FROM unnest(ARRAY[1, 2, 2048]) AS document;
  INSERT INTO posting_block (business_id, board_number, block, live, dead)
    SELECT 'biz_a', 1, block, 3, decode(repeat('00', 256), 'hex') FROM unnest(ARRAY[0, 1]) AS block;
  INSERT INTO passage_block (business_id, board_number, block, signatures) VALUES
    ('biz_a', 1, 0, decode('000000000100000003000000' || repeat('00000000', 2045), 'hex')),
    ('biz_a', 1, 1, decode('07000000' || repeat('00000000', 2047), 'hex'));`;

it("blocks of vectors of an earlier version are cut, and read as before", async () => {
  const database = await newDatabase();
  onTestFinished(() => database.drop());
  const db = new Database({ url: database.url, connections: 1 });
  await migrate(
    db,
    readMigrations().filter(({ number }) => number < 24),
  );
  await db.write((tx) => tx.executeSql(ROWS));
  await migrate(db);
  expect(await db.all("SELECT width, length(embeddings) AS bytes FROM passage_block ORDER BY block")).toEqual([
    { width: 4, bytes: 12 },
    { width: 4, bytes: 4 },
  ]);
  await db.close();
  const store = await openStore({ url: database.url, connections: 2 });
  try {
    expect(await store.vectors.nearest("biz_a", "brd_a", new Uint8Array(4), 9)).toEqual([
      { document: 1, distance: 1 },
      { document: 2, distance: 2 },
      { document: 2_048, distance: 3 },
    ]);
    const found = await store.vectors.embeddings("biz_a", "brd_a", [0, 1, 2, 3, 2_048]);
    expect(found.map(({ document }) => document)).toEqual([1, 2, 2_048]);
  } finally {
    await store.close();
  }
});
