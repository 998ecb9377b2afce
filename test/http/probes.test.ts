import { expect, it } from "vitest";
import type { Store } from "#domain/store.ts";
import { createProbes } from "#http/public/probes.ts";
import { createModelMeter } from "#service/usage.ts";

it("the gauges of waiting tiles show the values of this scrape, from one reading", async () => {
  let reads = 0;
  const store = {
    tiles: { counts: async () => ({ processing: ++reads * 10, indexPending: reads * 10 + 1 }) },
    backups: { lastSuccess: async () => null },
  } as unknown as Store;
  const { registry } = createProbes(
    store,
    "",
    createModelMeter(),
    () => 0,
    async () => null,
  );
  for (const scrape of [1, 2, 3]) {
    const text = await registry.metrics();
    expect(text).toMatch(new RegExp(`^tessera_tiles_processing ${scrape}0$`, "m"));
    expect(text).toMatch(new RegExp(`^tessera_index_pending ${scrape}1$`, "m"));
  }
  expect(reads).toBe(3);
});

it("the metrics report model calls and tokens, however often they are read", async () => {
  const meter = createModelMeter();
  const store = {
    tiles: { counts: async () => ({ processing: 0, indexPending: 0 }) },
    backups: { lastSuccess: async () => null },
    indexRebuild: { unfinished: async () => [] },
  } as unknown as Store;
  const { registry } = createProbes(
    store,
    "",
    meter,
    () => 3,
    async () => null,
  );
  const readModelMetrics = async () => (await registry.metrics()).split("\n").filter((line) => line.startsWith("tessera_model_"));
  expect(await readModelMetrics()).toEqual([]);
  meter.count("ask", "answered", { input: 120, output: 7 });
  meter.count("ask", "answered", { input: 30, output: 3 });
  meter.count("ask", "timeout", { input: 5, output: 0 });
  meter.count("idea", "cancelled", { input: 0, output: 0 });
  const expected = [
    'tessera_model_calls_total{endpoint="ask",outcome="answered"} 2',
    'tessera_model_calls_total{endpoint="ask",outcome="timeout"} 1',
    'tessera_model_calls_total{endpoint="idea",outcome="cancelled"} 1',
    'tessera_model_tokens_total{direction="input",endpoint="ask"} 155',
    'tessera_model_tokens_total{direction="output",endpoint="ask"} 10',
    'tessera_model_tokens_total{direction="input",endpoint="idea"} 0',
    'tessera_model_tokens_total{direction="output",endpoint="idea"} 0',
  ];
  expect(await readModelMetrics()).toEqual(expected);
  expect(await readModelMetrics()).toEqual(expected);
  expect(await registry.metrics()).toMatch(/^tessera_log_lines_dropped_total 3$/m);
});
