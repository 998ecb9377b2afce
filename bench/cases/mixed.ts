import { type Contender, compare, perSecond, ratio, sectionOf } from "../load/compare.ts";
import type { Outcome } from "../load/load-job.ts";
import { count, decimal, medianOf, spread, spreadOf } from "../output/numbers.ts";
import type { Figure, Report, Section } from "../output/report.ts";
import { awaitIndex } from "../servers/service.ts";
import type { Stage } from "../servers/fixture.ts";
import { flushFolder, measureFsync } from "./fsync.ts";
import { BIG, MAX_TIMES, PLAIN, SERVICE, type LoadedWorld } from "./load-context.ts";

const CONNECTIONS = 64;
const MAX_MS = 5;
/** A window in which the generator itself was later than this, in milliseconds, shows a machine that stood still for a while. */
const MAX_LATE_MS = 1;
const KINDS = ["list zones", "list tiles", "create tile"] as const;

export async function runMixed({ options, small, big, peer, load }: LoadedWorld): Promise<Report> {
  const of = (name: string, { service, mixed }: Stage): Contender => ({
    name,
    port: service.port,
    pid: service.pid,
    targets: mixed,
    settle: () => awaitIndex(service),
  });
  const rates: number[] = [];
  /** Both services are driven as hard as they can be, so that neither comes to its window less warmed up; the rate is the small one's. */
  const halfOfCapacity = async (): Promise<number> => {
    if (big !== null) await capacityOf(load, big);
    const half = (await capacityOf(load, small)) / 2;
    rates.push(half);
    return half;
  };
  const contenders = [
    of(SERVICE, small),
    ...(big === null ? [] : [of(BIG, big)]),
    { name: PLAIN, port: peer.port, pid: peer.pid, targets: small.mixed },
  ];
  for (const stage of [small, big]) if (stage !== null) flushFolder(stage.service.dataDir);
  const before = measureFsync(small.service.dataDir);
  const outcomes = await compare(load, contenders, {
    rounds: options.isQuick ? 3 : 15,
    seconds: options.isQuick ? 1.5 : 4,
    connections: CONNECTIONS,
    rate: halfOfCapacity,
  });
  const after = measureFsync(small.service.dataDir);
  const fsync = (before.median + after.median) / 2;
  const p99 = (name: string) => spreadOf((outcomes.get(name) ?? []).map(({ latency }) => latency.p99));
  const onTime = (name: string): string => {
    const windows = outcomes.get(name) ?? [];
    const quiet = windows.filter(({ lateness }) => lateness < MAX_LATE_MS).map(({ latency }) => latency.p99);
    return `${quiet.length} of ${windows.length} windows had the generator on time${quiet.length === 0 ? "" : `, and ${decimal(medianOf(quiet))} ms`}`;
  };
  const most = MAX_MS + 2 * fsync;
  const load90 = `90/10 load at ${count(medianOf(rates))} requests a second, half of capacity`;
  const figures: Figure[] = [
    {
      name: "p99 under mixed load",
      value: p99(SERVICE).median,
      unit: "ms",
      most,
      beside: `${load90}: ${spread(p99(SERVICE))}; plain ${spread(p99(PLAIN))}; one fsync ${decimal(fsync)} ms; ${onTime(SERVICE)}`,
    },
  ];
  if (big !== null) {
    // Round by round, as the other figures are: a machine that stands still for a moment meets one of the two, now the one, now the other.
    const slower = ratio(outcomes, BIG, SERVICE, ({ latency }) => latency.p99);
    figures.push({
      name: "p99 under mixed load, with many tiles",
      value: slower.median,
      unit: "times",
      most: MAX_TIMES,
      beside: `slower at the same rate, by rounds: ${spread(slower)}; ${spread(p99(BIG))} ms; ${onTime(BIG)}`,
    });
  }
  const note = `Open loop at random times; latencies count from when a request was due; capacity is measured before each round, and what was written before is flushed to the disk first. fsync of 4 KB: median ${decimal(before.median)} ms before, ${decimal(after.median)} ms after; p99 ${decimal(before.p99)} and ${decimal(after.p99)} ms.`;
  return { figures, sections: [sectionOf(load90, outcomes, note), byKind(outcomes)] };
}

/** Requests a second at full load; what they wrote is indexed when it answers. */
async function capacityOf(load: LoadedWorld["load"], { service, mixed }: Stage): Promise<number> {
  const outcome = await load.ask({
    port: service.port,
    pid: service.pid,
    targets: mixed,
    connections: CONNECTIONS,
    warmSeconds: 0.2,
    seconds: 1,
  });
  await awaitIndex(service);
  return perSecond(outcome);
}

function byKind(outcomes: ReadonlyMap<string, readonly Outcome[]>): Section {
  const cell = (list: readonly Outcome[], kind: string): string => {
    const of = (measure: "p50" | "p99"): string => decimal(medianOf(list.map(({ latencies }) => latencies[kind]?.[measure] ?? Number.NaN)));
    return `${of("p50")} / ${of("p99")}`;
  };
  return {
    title: "Mixed load by kind of request, p50 / p99 in ms",
    columns: ["server", ...KINDS],
    rows: [...outcomes].map(([name, list]) => [name, ...KINDS.map((kind) => cell(list, kind))]),
  };
}
