import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Connection } from "#storage/sqlite/engine/database.ts";
import { openStore } from "#storage/sqlite/store.ts";
import { seedBusiness, T0, textTile } from "../../support/boards.ts";
import { newFolder, startProcess, untilLines } from "../folder.ts";

it.each([1, 40, 90 + Math.floor(Math.random() * 400)])(
  "a server killed while writing has every acknowledged tile on disk, completely, after %i responses",
  async (answers) => {
    const file = join(newFolder(), "tessera.sqlite");
    const child = startProcess(import.meta.resolve("../processes/write-tiles.ts"), file);
    await untilLines(child, answers);
    child.process.kill("SIGKILL");
    await child.ended;
    expect(child.lines.length).toBeGreaterThanOrEqual(answers);
    const store = openStore(file);
    for (const line of child.lines) {
      const [businessId, id] = line.split(" ");
      expect(await store.tiles.find(businessId!, id!), line).toMatchObject({ id });
    }
    await store.close();
    const db = new Connection(file);
    expect(db.raw.pragma("integrity_check", { simple: true })).toBe("ok");
    const halves =
      "SELECT count(*) AS n FROM tile t WHERE (status = 'processing') <> EXISTS (SELECT 1 FROM job j WHERE j.business_id = t.business_id AND j.tile_id = t.id)";
    expect(db.get(halves)).toEqual({ n: 0 });
    db.close();
  },
);

it("the files of a database are readable by their owner only", async () => {
  const folder = join(newFolder(), "data");
  const store = openStore(join(folder, "tessera.sqlite"));
  const { scope } = await seedBusiness(store);
  await store.tiles.create(scope, textTile("Text"), T0);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const names = readdirSync(folder);
  expect(names).toContain("tessera.sqlite-wal");
  for (const name of names) expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
  await store.close();
});
