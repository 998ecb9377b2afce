import { expect, it } from "vitest";
import { AppError } from "#domain/core/errors/error.ts";
import { createMetrics, type Metrics } from "#http/public/metrics/metrics.ts";
import type { StoreGaugeDeps } from "#http/public/metrics/store-gauges.ts";
import { parseMetrics } from "../support/prometheus.ts";

const BUILD = { version: "1.2.3", node: "24.0.0", storage: "sqlite", role: "all" } as const;
const NOW = 1_000_000;

function open(): Metrics {
  const metrics = createMetrics(BUILD, () => 3);
  metrics.stop();
  return metrics;
}

/** A store whose values are those given, and fixed ones. */
function fakeStore({ tiles = {}, statistics = {} }: { readonly tiles?: object; readonly statistics?: object }): StoreGaugeDeps {
  const idle = { length: 0, oldestAt: null };
  return {
    store: {
      tiles: { counts: async () => ({ processing: 0, indexPending: 0 }), ...tiles },
      backups: { lastSuccess: async () => null },
      indexRebuild: { unfinished: async () => [] },
      statistics: {
        queues: async () => ({
          links: { length: 7, oldestAt: NOW - 4_000 },
          deliveries: { length: 1, oldestAt: NOW + 9_000 },
          generations: idle,
        }),
        tiles: async () => ({ ready: 5, processing: 2, failed: 1 }),
        fileBytes: async () => 42,
        databaseBytes: async () => 4_096,
        ...statistics,
      },
    } as unknown as StoreGaugeDeps["store"],
    checkStorage: async () => null,
    now: () => NOW,
  };
}

const read = async (metrics: Metrics): Promise<string> => (await metrics.render()).text;

it("the gauges of the installation show the values of this scrape, from one reading", async () => {
  let reads = 0;
  const metrics = open();
  metrics.addStore(fakeStore({ tiles: { counts: async () => ({ processing: ++reads * 10, indexPending: reads * 10 + 1 }) } }));
  for (const scrape of [1, 2, 3]) {
    const text = await read(metrics);
    expect(text).toMatch(new RegExp(`^tessera_tiles_processing ${scrape}0$`, "m"));
    expect(text).toMatch(new RegExp(`^tessera_index_pending ${scrape}1$`, "m"));
  }
  expect(reads).toBe(3);
});

it("the gauges of the installation show queues, tiles and sizes, in a strict form of the text format", async () => {
  const metrics = open();
  metrics.addStore(fakeStore({}));
  const { samples } = parseMetrics(await read(metrics));
  expect(samples).toMatchObject({
    'tessera_queue_length{queue="links"}': 7,
    'tessera_queue_oldest_age_seconds{queue="links"}': 4,
    'tessera_queue_oldest_age_seconds{queue="deliveries"}': 0,
    'tessera_queue_oldest_age_seconds{queue="generations"}': 0,
    'tessera_tiles{status="ready"}': 5,
    tessera_files_bytes: 42,
    tessera_database_bytes: 4_096,
    tessera_storage_up: 1,
    tessera_log_lines_dropped_total: 3,
    'tessera_build_info{version="1.2.3",node="24.0.0",storage="sqlite",role="all"}': 1,
  });
});

it("the gauges of the installation are left out while the storage fails, and everything else is told", async () => {
  const metrics = open();
  const fail = async (): Promise<never> => Promise.reject(new AppError("storage_unavailable", "Away."));
  let isAway = false;
  metrics.addStore({
    ...fakeStore({ statistics: { tiles: () => (isAway ? fail() : { ready: 1, processing: 0, failed: 0 }), fileBytes: fail } }),
    checkStorage: async () => (isAway ? new AppError("storage_unavailable", "Away.") : null),
  });
  expect(await read(metrics)).toMatch(/^tessera_tiles\{status="ready"\} 1$/m);
  isAway = true;
  const text = await read(metrics);
  expect(text).not.toMatch(/^tessera_tiles\{/m);
  expect(text).not.toMatch(/^tessera_files_bytes /m);
  expect(text).toMatch(/^tessera_storage_up 0$/m);
  expect(text).toMatch(/^tessera_metrics_failures_total [1-9]/m);
});

it("the gauges of the installation do not read again what takes long, however often they are scraped", async () => {
  let reads = 0;
  const metrics = open();
  const tiles = async () => {
    reads++;
    await new Promise((resolve) => setTimeout(resolve, 60));
    return { ready: reads, processing: 0, failed: 0 };
  };
  metrics.addStore(fakeStore({ statistics: { tiles } }));
  const texts = await Promise.all(Array.from({ length: 5 }, () => read(metrics)));
  for (let scrape = 0; scrape < 20; scrape++) texts.push(await read(metrics));
  for (const text of texts) expect(text).toMatch(/^tessera_tiles\{status="ready"\} 1$/m);
  expect(reads).toBe(1);
});

it("the counters of a process count links, deliveries, generations, questions and model calls", async () => {
  const metrics = open();
  const { meter } = metrics;
  expect(Object.keys(parseMetrics(await read(metrics)).samples).filter((name) => name.startsWith("tessera_model_"))).toEqual([]);
  meter.countLink({ kind: "WEBSITE", outcome: "ready", code: null, seconds: 0.3 });
  meter.countLink({ kind: "WEBSITE", outcome: "failed", code: "not_found", seconds: 0.1 });
  meter.timeStage("fetch", 0.2);
  meter.countDelivery("succeeded");
  meter.countGeneration("complete");
  meter.countQuestion({ outcome: "answered", mode: "extractive", seconds: 0.04 });
  meter.countQuestion({ outcome: "cancelled", mode: "none", seconds: 9 });
  meter.countModelCall("ask", "answered", { input: 120, output: 7 });
  meter.countModelCall("ask", "answered", { input: 30, output: 3 });
  meter.countModelCall("ask", "timeout", { input: 5, output: 0 });
  expect(parseMetrics(await read(metrics)).samples).toMatchObject({
    'tessera_link_attempts_total{kind="WEBSITE",outcome="ready",code="none"}': 1,
    'tessera_link_attempts_total{kind="WEBSITE",outcome="failed",code="not_found"}': 1,
    'tessera_link_attempt_seconds_count{outcome="failed"}': 1,
    'tessera_link_stage_seconds_sum{stage="fetch"}': 0.2,
    'tessera_deliveries_total{outcome="succeeded"}': 1,
    'tessera_generations_total{outcome="complete"}': 1,
    'tessera_questions_total{outcome="cancelled",mode="none"}': 1,
    'tessera_question_seconds_count{mode="extractive"}': 1,
    'tessera_model_calls_total{endpoint="ask",outcome="answered"}': 2,
    'tessera_model_calls_total{endpoint="ask",outcome="timeout"}': 1,
    'tessera_model_tokens_total{direction="input",endpoint="ask"}': 155,
    'tessera_model_tokens_total{direction="output",endpoint="ask"}': 10,
  });
});

it("the counters of a process count error responses by their code", async () => {
  const metrics = open();
  for (const code of ["rate_limited", "unavailable", "rate_limited"] as const) metrics.countError(code);
  expect(parseMetrics(await read(metrics)).samples).toMatchObject({
    'tessera_http_errors_total{code="rate_limited"}': 2,
    'tessera_http_errors_total{code="unavailable"}': 1,
  });
});

it("the counters of a process show what callers hold now, and its limit", async () => {
  const metrics = open();
  const bodies = { total: 1, maxBytes: 100 };
  const work = { waiting: 0 };
  metrics.addLoad({ memory: { request_bodies: bodies }, queues: { work } });
  bodies.total = 42;
  work.waiting = 7;
  expect(parseMetrics(await read(metrics)).samples).toMatchObject({
    'tessera_shared_memory_bytes{use="request_bodies"}': 42,
    'tessera_shared_memory_limit_bytes{use="request_bodies"}': 100,
    'tessera_waiting_calls{queue="work"}': 7,
  });
});

it("the counters of a process have a bounded number of error codes", async () => {
  const metrics = open();
  for (let code = 0; code < 1_000; code++)
    metrics.meter.countLink({ kind: "PDF", outcome: "failed", code: code % 2 ? `code_${code}` : `example.com/${code}`, seconds: 1 });
  const { samples } = parseMetrics(await read(metrics));
  const codes = Object.keys(samples).filter((name) => name.startsWith("tessera_link_attempts_total"));
  expect(codes).toHaveLength(201);
  expect(codes.join("\n")).not.toContain("example.com");
});
