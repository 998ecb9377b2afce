import { expect, test, vi } from "vitest";
import { Connection } from "#storage/sqlite/engine/database.ts";
import { migrate } from "#storage/sqlite/engine/migrate.ts";
import { storeOn } from "#storage/sqlite/store.ts";
import { newId } from "#domain/core/system.ts";
import { getCreated, seedBusiness, T0 } from "../../support/boards.ts";

test("a free slug is found by one query, however many boards have the same name", async () => {
  const db = new Connection(":memory:");
  migrate(db);
  const store = storeOn(db);
  const { manage } = await seedBusiness(store);
  const create = async () => getCreated(await store.boards.create(manage, { id: newId("brd", T0), name: "看板", slug: "notes" }, T0));
  for (let n = 0; n < 50; n++) await create();
  const statements = vi.spyOn(db, "sql");
  expect((await create()).slug).toBe("notes-51");
  expect(statements.mock.calls.filter(([sql]) => sql.startsWith("SELECT slug"))).toHaveLength(1);
  expect(statements.mock.calls.length).toBeLessThan(10);
  await store.close();
});
