import { join } from "node:path";
import type { BenchContext } from "../context.ts";
import { computeQuantile, formatDecimal } from "../output/numbers.ts";
import { generateProse } from "../output/random-text.ts";
import type { Figure, Report } from "../output/report.ts";
import { startWorker } from "../processes/worker-process.ts";
import { readMemory } from "../processes/stats.ts";
import { type Board, type Service, callApi, createBoard, startService, waitForIndex } from "../servers/service.ts";
import type { Attack, AttackResult } from "../shares/attack-worker.ts";
import { type Load, listLoads } from "../shares/attacks.ts";
import type { Options } from "../load/load-context.ts";

const TILES = 2_000;
const BATCH_TILES = 100;
const TILE_CHARACTERS = 1_500;
const CONNECTIONS = 100;
const INDEX_SECONDS = 120;
const PAUSE_MS = 10;
const WARM_CALLS = 60;
/** Others may be slowed down to five times the idle p95, and to 100 ms. */
const MAX_SLOWDOWN = 5;
const MAX_P95_MS = 100;

type Probe = { readonly name: string; readonly send: () => Promise<unknown> };

/** Measures the calls of another key while one key puts each kind of load on the service. */
export async function runShares(context: BenchContext, { isQuick }: Options): Promise<Report> {
  const dataDir = join(context.folder, "shares");
  const attacker = await createBoard(dataDir, "Attacker");
  const other = await createBoard(dataDir, "Other");
  const service = await startService(context, dataDir, { EMBEDDINGS: "off" });
  for (const board of [attacker, other]) await fill(service, board);
  await waitForIndex(service, INDEX_SECONDS);
  const probes = listProbes(service, other);
  const seconds = isQuick ? 2 : 6;
  await measure(probes, { calls: WARM_CALLS });
  const idle = await measure(probes, { seconds });
  const figures: Figure[] = [];
  const rows = [["idle", ...probes.map(({ name }) => formatTimes(idle.get(name))), "", formatMemory(service)]];
  for (const load of listLoads(attacker)) {
    const { times, statuses } = await measureDuring(context, service, attacker, load, probes, seconds);
    for (const { name } of probes) figures.push(toFigure(load.name, name, times.get(name) ?? [], idle.get(name) ?? []));
    rows.push([load.name, ...probes.map(({ name }) => formatTimes(times.get(name))), statuses, formatMemory(service)]);
    await waitForIndex(service, INDEX_SECONDS);
  }
  const section = {
    title: "Calls of others while one key puts load on the service, p50 / p95 in ms",
    note: `${CONNECTIONS} connections of one key without pauses, on a board of ${TILES} tiles; one other key, on another board, calls once every ${PAUSE_MS} ms.`,
    columns: ["load", ...probes.map(({ name }) => name), "responses to the load", "memory MB"],
    rows,
  };
  return { figures, sections: [section] };
}

async function fill(service: Service, { id, key }: Board): Promise<void> {
  for (let at = 0; at < TILES; at += BATCH_TILES) {
    const tiles = Array.from({ length: BATCH_TILES }, (_, n) => ({ board_id: id, content: generateProse(TILE_CHARACTERS, at + n) }));
    await callApi(service, key, "POST", "/api/inbound/tiles/batch", { tiles });
  }
}

function listProbes(service: Service, { id, key }: Board): readonly Probe[] {
  const call = (method: string, path: string, body?: unknown) => () => callApi(service, key, method, path, body);
  let created = 0;
  return [
    { name: "list 50 tiles", send: call("GET", `/api/board/${id}/tiles?limit=50`) },
    { name: "search", send: call("GET", `/api/board/${id}/search?q=harbour+winter`) },
    { name: "create", send: () => call("POST", `/api/board/${id}/tiles`, { content: `Note ${++created}: the ferry leaves at noon.` })() },
  ];
}

/** Calls the probes in turn, for a time or a number of calls. Returns the times of each in milliseconds, in ascending order. */
async function measure(
  probes: readonly Probe[],
  limit: { readonly seconds: number } | { readonly calls: number },
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(probes.map(({ name }) => [name, []]));
  const end = "seconds" in limit ? performance.now() + limit.seconds * 1_000 : Infinity;
  for (let call = 0; performance.now() < end && !("calls" in limit && call >= limit.calls); call++) {
    const { name, send } = probes[call % probes.length] as Probe;
    const began = performance.now();
    await send();
    times.get(name)?.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  for (const list of times.values()) list.sort((a, b) => a - b);
  return times;
}

async function measureDuring(
  context: BenchContext,
  { port }: Service,
  { key }: Board,
  { name: _name, connections = CONNECTIONS, ...load }: Load,
  probes: readonly Probe[],
  seconds: number,
): Promise<{ readonly times: Map<string, number[]>; readonly statuses: string }> {
  const worker = startWorker<Attack, AttackResult>(context, "attack");
  try {
    const attacked = worker.request({ ...load, port, key, connections, seconds: seconds + 1 });
    // The load is at its height after half a second, and still is when the measurement ends.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const times = await measure(probes, { seconds });
    const { statuses } = await attacked;
    return {
      times,
      statuses: Object.entries(statuses)
        .map(([status, count]) => `${count} × ${status}`)
        .join(", "),
    };
  } finally {
    worker.child.disconnect();
  }
}

function toFigure(load: string, probe: string, times: readonly number[], idle: readonly number[]): Figure {
  const value = computeQuantile(times, 0.95);
  const idleP95 = computeQuantile(idle, 0.95);
  return {
    name: `p95 of others, ${probe}, during ${load}`,
    value,
    unit: "ms",
    max: Math.min(MAX_P95_MS, MAX_SLOWDOWN * idleP95),
    detail: `${times.length} calls; idle ${formatDecimal(idleP95)} ms, so ${formatDecimal(value / idleP95)} times`,
  };
}

const formatTimes = (times: readonly number[] = []): string =>
  `${formatDecimal(computeQuantile(times, 0.5))} / ${formatDecimal(computeQuantile(times, 0.95))}`;

const formatMemory = ({ pid }: Service): string => (readMemory(pid).rss / 1_000_000).toFixed(0);
