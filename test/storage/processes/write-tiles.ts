/** Writes tiles endlessly, several at a time, and prints each id after it was acknowledged. */
import { writeSync } from "node:fs";
import { openStore } from "#storage/sqlite/store.ts";
import { linkTile, getCreatedTile, seedBusiness, T0, textTile } from "../../support/boards.ts";

const store = openStore(process.argv[2]!);
const { scope } = await seedBusiness(store, `Writer ${process.pid}`);

async function write(writer: number): Promise<void> {
  for (let i = 0; ; i++) {
    const draft = i % 3 === 0 ? linkTile(`https://host-${writer}.example/${i}`) : textTile(`Text ${writer} ${i} `.repeat(40));
    const tile = getCreatedTile(await store.tiles.create(scope, draft, T0 + i));
    writeSync(1, `${tile.businessId} ${tile.id}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
