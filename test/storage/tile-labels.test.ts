import { expect, test } from "vitest";
import { SQLITE } from "#storage/sqlite/engine/driver.ts";
import { changeLabels } from "#storage/sql/tiles/rows/tile-labels.ts";
import { measureCpuMs } from "../support/cpu-time.ts";

const TILES = 40;
const KEYS = 60;
const ITEMS = 50;

/** About as many labels as a tile can have, all of the same length. */
const manyProperties = (last: string) =>
  Object.fromEntries(
    Array.from({ length: KEYS }, (_, key) => [`${10 + key}`, Array.from({ length: ITEMS }, (_, item) => `${10 + item}${last}`)]),
  );

test("changing tiles with thousands of labels each looks every label up, instead of comparing all with all", () => {
  const tile = { businessId: "biz_1", boardId: "brd_1", sequence: 1, tags: [] };
  const changes = Array.from({ length: TILES }, () => ({
    previous: { ...tile, properties: manyProperties("a") },
    next: { ...tile, properties: manyProperties("b") },
  }));
  let rows = 0;
  const cpuMs = measureCpuMs(() => {
    for (const command of changeLabels(SQLITE, changes))
      if ("params" in command) rows += (JSON.parse(String(command.params["rows"])) as unknown[]).length;
  });
  expect(rows).toBe(2 * TILES * KEYS * ITEMS);
  expect(cpuMs).toBeLessThan(2_500);
});
