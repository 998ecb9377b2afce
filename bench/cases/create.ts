import { type Contender, compare, perCpuSecond, perSecond, ratio, sectionOf } from "../load/compare.ts";
import { medianOf, spread } from "../output/numbers.ts";
import { cpuSecondsOf } from "../processes/stats.ts";
import type { Figure, Report } from "../output/report.ts";
import { awaitIndex, pendingOf } from "../servers/service.ts";
import type { Stage } from "../servers/fixture.ts";
import { BIG, MAX_TIMES, PLAIN, SERVICE, type LoadedWorld } from "./load-context.ts";

const CONNECTIONS = 64;
const LEAST = 0.3;
const MICRO = 1e6;
const SETTLE_SECONDS = 3;

export async function runCreate({ options, small, big, peer, load }: LoadedWorld): Promise<Report> {
  const title = `create tile, ${CONNECTIONS} connections`;
  const indexing: number[] = [];
  const of = (name: string, { service, create }: Stage): Contender => ({
    name,
    port: service.port,
    pid: service.pid,
    targets: [create],
    // Indexing goes on between the windows for a while; inside them it waits, since the server is busy.
    async settle() {
      const before = { cpu: cpuSecondsOf(service.pid), pending: await pendingOf(service) };
      await awaitIndex(service, SETTLE_SECONDS);
      const done = before.pending - (await pendingOf(service));
      if (done > 0) indexing.push(((cpuSecondsOf(service.pid) - before.cpu) / done) * MICRO);
    },
  });
  const contenders = [
    of(SERVICE, small),
    ...(big === null ? [] : [of(BIG, big)]),
    { name: PLAIN, port: peer.port, pid: peer.pid, targets: [small.create] },
  ];
  const outcomes = await compare(load, contenders, {
    rounds: options.isQuick ? 3 : 6,
    seconds: options.isQuick ? 0.6 : 1.2,
    connections: CONNECTIONS,
  });
  const share = ratio(outcomes, SERVICE, PLAIN, perCpuSecond);
  const figures: Figure[] = [
    {
      name: title,
      value: share.median,
      unit: "ratio",
      least: LEAST,
      beside: `of plain, per CPU second: ${spread(share)}; per second ${spread(ratio(outcomes, SERVICE, PLAIN, perSecond))}`,
    },
  ];
  if (big !== null) {
    const slower = ratio(outcomes, SERVICE, BIG, perCpuSecond);
    figures.push({
      name: `${title}, with many tiles`,
      value: slower.median,
      unit: "times",
      most: MAX_TIMES,
      beside: `slower, per CPU second: ${spread(slower)}`,
    });
  }
  const note = `Indexing waits while the server is busy; between the windows it took ${Math.round(medianOf(indexing))} µs of CPU a tile, which is not in the rates.`;
  return { figures, sections: [sectionOf(title, outcomes, note)] };
}
