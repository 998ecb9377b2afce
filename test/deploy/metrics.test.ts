import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { createMetrics } from "#http/public/metrics/metrics.ts";
import { parseMetrics } from "../support/prometheus.ts";
import { startTestService, type TestService } from "../support/service.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: object;
  readonly annotations: { readonly summary: string };
};
type Panel = {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
};

const rules = (parse(read("deploy/prometheus/tessera.rules.yaml")) as { groups: { name: string; rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const { panels } = JSON.parse(read("deploy/grafana/tessera.json")) as { panels: Panel[] };
const expressions = [...rules.map(({ expr }) => expr), ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))];

/** Labels and metrics that the scraping server adds. */
const ADDED = { labels: ["job", "instance", "le"], metrics: ["up"] };
const KEYWORDS = new Set(["and", "or", "unless", "by", "without", "on", "ignoring", "bool", "offset"]);

/** Returns the metrics that an expression reads, and the labels that it selects and groups by. */
function analyse(expression: string): { readonly metrics: string[]; readonly labels: string[] } {
  const bare = expression.replaceAll(/"[^"]*"/g, "");
  const groups = [...bare.matchAll(/\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(","));
  const selected = [...bare.matchAll(/\{([^}]*)\}/g)].flatMap(([, pairs = ""]) =>
    pairs.split(",").map((pair) => pair.replace(/[=!~]+$/, "")),
  );
  const rest = bare.replaceAll(/\{[^}]*\}|\[[^\]]*\]|\b(?:by|on|without|ignoring)\s*\([^)]*\)/g, " ");
  const metrics = [...rest.matchAll(/\b([a-zA-Z_:][\w:]*)\b(?!\s*\()/g)].map(([, name = ""]) => name).filter((name) => !KEYWORDS.has(name));
  return { metrics, labels: [...groups, ...selected].map((name) => name.trim()) };
}

let service: TestService;
let text = "";
let types: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await startTestService();
  const { boardId } = service;
  await service.call("POST", "/api/inbound/tiles", { body: { board_id: boardId, content: "The harbour opens at six." } });
  await service.call("POST", "/api/inbound/tiles", { body: { board_id: boardId, url: "http://127.0.0.1:9/refused" } });
  await service.call("POST", `/api/board/${boardId}/ask`, { body: { question: "When does the harbour open?" } });
  await service.call("GET", "/api/nowhere");
  await vi.waitFor(
    async () => {
      text = await (await fetch(`${service.url}/metrics`)).text();
      expect(text).toMatch(/^tessera_tiles\{status="ready"\} 1$/m);
    },
    { timeout: 60_000, interval: 200 },
  );
  ({ types } = parseMetrics(text));
});

afterAll(() => service.stop());

/** The metric without the suffixes of histograms. */
const toFamily = (name: string): string => {
  const family = name.replace(/_(?:bucket|sum|count)$/, "");
  return types[family] === "histogram" ? family : name;
};

it("the metrics of a running server are in the text format, with what happened", () => {
  const { samples } = parseMetrics(text);
  expect(samples).toMatchObject({
    'tessera_questions_total{outcome="answered",mode="extractive"}': 1,
    'tessera_question_seconds_count{mode="extractive"}': 1,
    'tessera_queue_length{queue="deliveries"}': 0,
    tessera_storage_up: 1,
    tessera_metrics_failures_total: 0,
    'tessera_http_errors_total{code="path_not_found"}': 1,
    'tessera_shared_memory_bytes{use="request_bodies"}': 0,
    'tessera_shared_memory_limit_bytes{use="responses"}': 134_217_728,
    'tessera_waiting_calls{queue="questions"}': 0,
  });
  expect(samples.tessera_event_loop_delay_seconds_count).toBeGreaterThan(0);
  expect(samples.tessera_database_bytes).toBeGreaterThan(10_000);
  expect(text).toMatch(/^tessera_build_info\{version="\d[^"]+",node="\d[^"]+",storage="(?:sqlite|postgres)",role="all"\} 1$/m);
  expect(text).not.toContain(service.boardId);
  expect(text).not.toContain(service.businessId);
});

it("the metrics of a running server use base units, and are documented with their labels", () => {
  const own = Object.keys(types).filter((name) => name.startsWith("tessera_"));
  const documented = [...read("docs/reference/metrics.md").matchAll(/^\| `(tessera_\w+)` \|/gm)].map(([, name]) => name);
  expect(own.toSorted()).toEqual(documented.toSorted());
  for (const name of own) expect(name).not.toMatch(/(?:milliseconds|_ms|kilobytes|_mb|percent)/);
});

it("the metrics of a running server are all that the documentation names", () => {
  for (const page of [
    "docs/deploy.md",
    "docs/ask.md",
    "docs/settings.md",
    "docs/scale.md",
    "docs/reference/operations.md",
    "docs/reference/metrics.md",
  ])
    for (const [name] of read(page).matchAll(/\b(?:tessera|process|nodejs)_[a-z0-9_]+(?=[`{\s)[])/g))
      if (!/^tessera_(?:session|device)/.test(name)) expect(Object.keys(types), `${page}: ${name}`).toContain(toFamily(name));
});

it("the metrics of a running server include every metric of the alert rules and of the dashboard", () => {
  expect(expressions.length).toBeGreaterThan(40);
  for (const expression of expressions) {
    const { metrics } = analyse(expression);
    expect(metrics.length, expression).toBeGreaterThan(0);
    for (const metric of metrics)
      if (!ADDED.metrics.includes(metric)) expect(Object.keys(types), `${metric} in ${expression}`).toContain(toFamily(metric));
  }
});

it("the alert rules and the dashboard use only labels that the metrics have", async () => {
  const { meter, observe, countError, render, stop } = createMetrics({ version: "1", node: "24", storage: "sqlite", role: "all" }, () => 0);
  stop();
  observe("GET", "/", 200, 1);
  countError("invalid");
  meter.countLink({ kind: "PDF", outcome: "failed", code: "x", seconds: 1 });
  meter.timeStage("fetch", 1);
  meter.countDelivery("failed");
  meter.countGeneration("failed");
  meter.countQuestion({ outcome: "answered", mode: "model", seconds: 1 });
  meter.countModelCall("ask", "timeout", { input: 1, output: 1 });
  const names = Object.keys(parseMetrics((await render()).text).samples).flatMap((key) =>
    [...key.matchAll(/(\w+)="/g)].map(([, name]) => name),
  );
  const known = new Set([...names, "queue", "status", "use", ...ADDED.labels]);
  for (const expression of expressions) for (const label of analyse(expression).labels) expect([...known], expression).toContain(label);
});

it("the alert rules and the dashboard have names, sentences and balanced expressions", () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, labels, annotations } of rules) {
    expect(alert).toMatch(/^Tessera[A-Z]\w+$/);
    expect(labels).toEqual({ severity: expect.stringMatching(/^(?:critical|warning)$/) });
    expect(annotations.summary).toMatch(/[.?]$/);
  }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const expression of expressions) expect(expression.split("(").length, expression).toBe(expression.split(")").length);
});
