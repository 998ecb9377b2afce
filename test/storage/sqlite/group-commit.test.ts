import { expect, it } from "vitest";
import { Connection } from "#storage/sqlite/engine/database.ts";
import type { WriterOptions } from "#storage/sqlite/engine/writer.ts";
import { migrate } from "#storage/sqlite/engine/migrate.ts";
import { openStore, storeOn } from "#storage/sqlite/store.ts";
import { seedBusiness, T0, textTile } from "../../support/boards.ts";
import { newFolder } from "../folder.ts";

const TABLE = "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT";

/** Commits are counted, so they must not end earlier on a slow machine. */
const UNTIMED = { maxBatchMs: Infinity };

function openNotes(options: WriterOptions = UNTIMED): { readonly db: Connection; add(text: string): Promise<void>; all(): string[] } {
  const db = new Connection(`${newFolder()}/notes.sqlite`, options);
  db.raw.exec(TABLE);
  const insert = (text: string): void => void db.run("INSERT INTO note (text) VALUES (@text)", { text });
  return {
    db,
    add: (text) => db.write(() => insert(text)),
    all: () => db.all<{ text: string }>("SELECT text FROM note ORDER BY id").map(({ text }) => text),
  };
}

it("the writer commits concurrent units together", async () => {
  const { db, add, all } = openNotes();
  const before = db.generation();
  await Promise.all(Array.from({ length: 100 }, (_, i) => add(`Note ${i}`)));
  expect(db.generation() - before).toBe(1);
  expect(all()).toEqual(Array.from({ length: 100 }, (_, i) => `Note ${i}`));
  db.close();
});

it("the writer makes far fewer commits than writes for thousands of concurrent writers, and acknowledges each", async () => {
  const { db, add, all } = openNotes();
  const before = db.generation();
  await Promise.all(Array.from({ length: 3_000 }, (_, i) => add(`Note ${i}`)));
  expect(db.generation() - before).toBeLessThanOrEqual(10);
  expect(all()).toHaveLength(3_000);
  db.close();
});

it("the writer rolls back only the unit that throws", async () => {
  const { db, add, all } = openNotes();
  const before = db.generation();
  const outcomes = await Promise.allSettled([
    add("First"),
    add("First"),
    db.write(() => {
      db.run("INSERT INTO note (text) VALUES ('Half')");
      throw new Error("Not after all.");
    }),
    add("Last"),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
  expect(outcomes[2]).toMatchObject({ reason: { message: "Not after all." } });
  expect(db.generation() - before).toBe(1);
  expect(all()).toEqual(["First", "Last"]);
  db.close();
});

it("the writer rejects every unit of an aborted transaction, and continues with the next", async () => {
  const { db, add, all } = openNotes();
  const outcomes = await Promise.allSettled([add("First"), db.write(() => db.raw.exec("ROLLBACK")), add("Last")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  expect(all()).toEqual(["Last"]);
  await add("Next");
  expect(all()).toEqual(["Last", "Next"]);
  db.close();
});

it("the writer ends a commit when its time is over, so that long units do not block the thread one after the other", async () => {
  const { db, add, all } = openNotes({ maxBatchMs: 0 });
  const before = db.generation();
  const [first, second] = [add("First"), add("Second")];
  await first;
  expect([db.generation() - before, all()]).toEqual([1, ["First"]]);
  await second;
  expect([db.generation() - before, all()]).toEqual([2, ["First", "Second"]]);
  db.close();
});

it("the writer resolves only when the write is in the file", async () => {
  const { db, add } = openNotes();
  const reader = new Connection(db.raw.name);
  const count = (): number => reader.get<{ n: number }>("SELECT count(*) AS n FROM note")!.n;
  const writes = ["A", "B", "C"].map((text) => add(text).then(count));
  expect(count()).toBe(0);
  expect(await Promise.all(writes)).toEqual([3, 3, 3]);
  expect(db.raw.pragma("journal_mode", { simple: true })).toBe("wal");
  reader.close();
  db.close();
});

it("the writer commits waiting units when it is closed, and rejects later ones", async () => {
  const { db, add } = openNotes();
  const waiting = add("Waiting");
  db.close();
  await waiting;
  await expect(add("Late")).rejects.toThrow();
  const again = new Connection(db.raw.name);
  expect(again.all("SELECT text FROM note")).toEqual([{ text: "Waiting" }]);
  again.close();
});

it("the store's writers share commits, also across boards and businesses", async () => {
  const db = new Connection(":memory:", UNTIMED);
  migrate(db);
  const store = storeOn(db);
  const worlds = [await seedBusiness(store, "One"), await seedBusiness(store, "Two")];
  const before = db.generation();
  await Promise.all(Array.from({ length: 200 }, (_, i) => store.tiles.create(worlds[i % 2]!.scope, textTile(`Text ${i}`), T0)));
  expect(db.generation() - before).toBeLessThanOrEqual(2);
  await store.close();
});

it("the store's writers write everything accepted before the store was closed", async () => {
  const file = `${newFolder()}/tessera.sqlite`;
  const store = openStore(file);
  const { scope, business } = await seedBusiness(store);
  const draft = textTile("Text");
  const waiting = store.tiles.create(scope, draft, T0);
  await store.close();
  await waiting;
  const again = openStore(file);
  expect(await again.tiles.find(business.id, draft.id)).toMatchObject({ extractedText: "Text" });
  await again.close();
});
