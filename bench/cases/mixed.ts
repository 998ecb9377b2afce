import { type MeasuredServer, compare, responsesPerSecond, computeRatio, buildSection } from "../load/compare.ts";
import type { LoadResult } from "../load/load-job.ts";
import { formatCount, formatDecimal, computeMedian, formatSpread, computeSpread } from "../output/numbers.ts";
import type { Figure, Report, Section } from "../output/report.ts";
import { waitForIndex } from "../servers/service.ts";
import type { Fixture } from "../servers/fixture.ts";
import { flushFiles, measureFsync } from "./fsync.ts";
import { LARGE, MAX_SLOWDOWN, BASELINE, SERVICE, type LoadContext } from "../load/load-context.ts";

const CONNECTIONS = 64;
const MAX_P99_MS = 5;
/** A larger delay of the generator, in milliseconds, shows that the whole machine paused. */
const MAX_DELAY_MS = 1;
const KINDS = ["list zones", "list tiles", "create tile"] as const;

export async function runMixed({ options, small, big, baseline, load }: LoadContext): Promise<Report> {
  const toServer = (name: string, { service, mixed }: Fixture): MeasuredServer => ({
    name,
    port: service.port,
    pid: service.pid,
    targets: mixed,
    afterWindow: () => waitForIndex(service),
  });
  const rates: number[] = [];
  /** Runs both services at full load, so that both are warmed up; the rate is half the capacity of the small one. */
  const measureHalfOfCapacity = async (): Promise<number> => {
    if (big !== null) await measureCapacity(load, big);
    const half = (await measureCapacity(load, small)) / 2;
    rates.push(half);
    return half;
  };
  const servers = [
    toServer(SERVICE, small),
    ...(big === null ? [] : [toServer(LARGE, big)]),
    { name: BASELINE, port: baseline.port, pid: baseline.pid, targets: small.mixed },
  ];
  for (const fixture of [small, big]) if (fixture !== null) flushFiles(fixture.service.dataDir);
  const before = measureFsync(small.service.dataDir);
  const results = await compare(load, servers, {
    rounds: options.isQuick ? 3 : 15,
    seconds: options.isQuick ? 1.5 : 4,
    connections: CONNECTIONS,
    rate: measureHalfOfCapacity,
  });
  const after = measureFsync(small.service.dataDir);
  const fsync = (before.median + after.median) / 2;
  const computeP99 = (name: string) => computeSpread((results.get(name) ?? []).map(({ latency }) => latency.p99));
  const describeWindows = (name: string): string => {
    const windows = results.get(name) ?? [];
    const quiet = windows.filter(({ generatorDelay }) => generatorDelay < MAX_DELAY_MS).map(({ latency }) => latency.p99);
    return `${quiet.length} of ${windows.length} windows with the generator on time${quiet.length === 0 ? "" : `, and ${formatDecimal(computeMedian(quiet))} ms`}`;
  };
  const title = `90/10 load at ${formatCount(computeMedian(rates))} requests per second, half of capacity`;
  const figures: Figure[] = [
    {
      name: "p99 under mixed load",
      value: computeP99(SERVICE).median,
      unit: "ms",
      max: MAX_P99_MS + 2 * fsync,
      detail: `${title}: ${formatSpread(computeP99(SERVICE))}; baseline ${formatSpread(computeP99(BASELINE))}; one fsync ${formatDecimal(fsync)} ms; ${describeWindows(SERVICE)}`,
    },
  ];
  if (big !== null) {
    // Compared in each round: a pause of the machine affects only one of the two.
    const slower = computeRatio(results, LARGE, SERVICE, ({ latency }) => latency.p99);
    figures.push({
      name: "p99 under mixed load, with many tiles",
      value: slower.median,
      unit: "times",
      max: MAX_SLOWDOWN,
      detail: `times slower at the same rate, by round: ${formatSpread(slower)}; ${formatSpread(computeP99(LARGE))} ms; ${describeWindows(LARGE)}`,
    });
  }
  const note = `Open loop at random times; latency counts from the due time of a request. Capacity is measured before each round. Earlier writes are flushed to disk first. fsync of 4 KB: median ${formatDecimal(before.median)} ms before, ${formatDecimal(after.median)} ms after; p99 ${formatDecimal(before.p99)} and ${formatDecimal(after.p99)} ms.`;
  return { figures, sections: [buildSection(title, results, note), buildKindSection(results)] };
}

/** Requests per second at full load; resolves after the created tiles are indexed. */
async function measureCapacity(load: LoadContext["load"], { service, mixed }: Fixture): Promise<number> {
  const result = await load.request({
    port: service.port,
    pid: service.pid,
    targets: mixed,
    connections: CONNECTIONS,
    warmSeconds: 0.2,
    seconds: 1,
  });
  await waitForIndex(service);
  return responsesPerSecond(result);
}

function buildKindSection(results: ReadonlyMap<string, readonly LoadResult[]>): Section {
  const formatCell = (list: readonly LoadResult[], kind: string): string => {
    const formatMedian = (measure: "p50" | "p99"): string =>
      formatDecimal(computeMedian(list.map(({ latencies }) => latencies[kind]?.[measure] ?? Number.NaN)));
    return `${formatMedian("p50")} / ${formatMedian("p99")}`;
  };
  return {
    title: "Mixed load by kind of request, p50 / p99 in ms",
    columns: ["server", ...KINDS],
    rows: [...results].map(([name, list]) => [name, ...KINDS.map((kind) => formatCell(list, kind))]),
  };
}
