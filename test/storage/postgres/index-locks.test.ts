import { expect, it, onTestFinished } from "vitest";
import { Database } from "#storage/postgres/engine/database.ts";
import { openStore } from "#storage/postgres/store.ts";
import { drain } from "../../contract/search/model.ts";
import { addText } from "../../contract/store-context.ts";
import { seedBusiness, T0 } from "../../support/boards.ts";
import { newMigratedDatabase } from "../../support/postgres/migrated.ts";

it("a sparse block of the index is dropped by a removal that need not wait for its other tiles", async () => {
  const database = await newMigratedDatabase();
  onTestFinished(() => database.drop());
  const store = await openStore({ url: database.url, connections: 4 });
  onTestFinished(() => store.close());
  const db = new Database({ url: database.url, connections: 2 });
  onTestFinished(() => db.close());
  const context = { store, ...(await seedBusiness(store)) };
  const { scope, business } = context;
  // Tiles of so many passages: the first block has 2,048, those of the last tile in part.
  const [first, kept, last] = [await addText(context, "1600 1"), await addText(context, "400 2"), await addText(context, "100 3")];
  await drain(context);
  const listPending = async () => (await store.search.pending(9, 1_000_000)).map(({ tileId }) => tileId);
  await db.write(async (tx) => {
    await tx.run("SELECT 1 FROM tile WHERE business_id = @businessId AND id = @id FOR UPDATE", { businessId: business.id, id: kept.id });
    await store.tiles.remove(scope, first.id, T0 + 1);
    expect(await listPending()).toEqual([]);
  });
  await store.tiles.remove(scope, last.id, T0 + 2);
  expect(await listPending()).toEqual([kept.id]);
});
