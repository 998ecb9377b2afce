import { beforeEach, expect, test, vi } from "vitest";
import { Connection } from "#storage/sqlite/engine/database.ts";
import { migrate } from "#storage/sqlite/engine/migrate.ts";
import { storeOn } from "#storage/sqlite/store.ts";
import { newId } from "#domain/core/system.ts";
import { getCreated, seedBusiness, T0 } from "../../support/boards.ts";

const BOARDS = 600;

let db: Connection;
let store: ReturnType<typeof storeOn>;
let seeded: Awaited<ReturnType<typeof seedBusiness>>;
beforeEach(async () => {
  db = new Connection(":memory:");
  migrate(db);
  store = storeOn(db);
  seeded = await seedBusiness(store);
  for (let n = 0; n < BOARDS; n++) await create();
  return () => store.close();
});

const create = async () => getCreated(await store.boards.create(seeded.manage, { id: newId("brd", T0), name: "看板", slug: "notes" }, T0));

/** Counts the rows that the call reads, and its statements. */
async function countReads(call: () => Promise<unknown>): Promise<{ rows: number; statements: number }> {
  const reads = { rows: 0, statements: 0 };
  const execute = db.execute.bind(db);
  const spy = vi.spyOn(db, "execute").mockImplementation((statement) => {
    reads.statements++;
    const result = execute(statement);
    if (Array.isArray(result)) reads.rows += result.length;
    return result;
  });
  await call();
  spy.mockRestore();
  return reads;
}

test("a free slug is found by few reads, however many boards have the same name", async () => {
  let slug = "";
  const reads = await countReads(async () => ({ slug } = await create()));
  expect(slug).toBe(`notes-${BOARDS + 1}`);
  expect(reads.rows).toBeLessThan(150);
  expect(reads.statements).toBeLessThan(15);
});

test("a page of boards reads no other boards", async () => {
  const [first] = await store.boards.listPage(seeded.business.id, null, 1);
  const reads = await countReads(() => store.boards.listPage(seeded.business.id, first ?? null, 10));
  // Up to 500 numbers show whether the business is large.
  expect(reads.rows).toBeLessThanOrEqual(510);
});
