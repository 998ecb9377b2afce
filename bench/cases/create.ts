import { type MeasuredServer, compare, responsesPerCpuSecond, responsesPerSecond, computeRatio, buildSection } from "../load/compare.ts";
import { computeMedian, formatSpread } from "../output/numbers.ts";
import { readCpuSeconds } from "../processes/stats.ts";
import type { Figure, Report } from "../output/report.ts";
import { waitForIndex, countPendingTiles } from "../servers/service.ts";
import type { Fixture } from "../servers/fixture.ts";
import { LARGE, MAX_SLOWDOWN, BASELINE, SERVICE, type LoadContext } from "../load/load-context.ts";

const CONNECTIONS = 64;
const MIN_RATIO = 0.3;
const MICRO = 1e6;
const INDEX_WAIT_SECONDS = 3;

export async function runCreate({ options, small, big, baseline, load }: LoadContext): Promise<Report> {
  const title = `create tile, ${CONNECTIONS} connections`;
  const microsPerTile: number[] = [];
  const toServer = (name: string, { service, create }: Fixture): MeasuredServer => ({
    name,
    port: service.port,
    pid: service.pid,
    targets: [create],
    // The service indexes between the windows; within them indexing waits, since the server is busy.
    async afterWindow() {
      const before = { cpu: readCpuSeconds(service.pid), pending: await countPendingTiles(service) };
      await waitForIndex(service, INDEX_WAIT_SECONDS);
      const done = before.pending - (await countPendingTiles(service));
      if (done > 0) microsPerTile.push(((readCpuSeconds(service.pid) - before.cpu) / done) * MICRO);
    },
  });
  const servers = [
    toServer(SERVICE, small),
    ...(big === null ? [] : [toServer(LARGE, big)]),
    { name: BASELINE, port: baseline.port, pid: baseline.pid, targets: [small.create] },
  ];
  const results = await compare(load, servers, {
    rounds: options.isQuick ? 3 : 6,
    seconds: options.isQuick ? 0.6 : 1.2,
    connections: CONNECTIONS,
  });
  const ratio = computeRatio(results, SERVICE, BASELINE, responsesPerCpuSecond);
  const figures: Figure[] = [
    {
      name: title,
      value: ratio.median,
      unit: "ratio",
      min: MIN_RATIO,
      detail: `of the baseline, per CPU second: ${formatSpread(ratio)}; per second ${formatSpread(computeRatio(results, SERVICE, BASELINE, responsesPerSecond))}`,
    },
  ];
  if (big !== null) {
    const slower = computeRatio(results, SERVICE, LARGE, responsesPerCpuSecond);
    figures.push({
      name: `${title}, with many tiles`,
      value: slower.median,
      unit: "times",
      max: MAX_SLOWDOWN,
      detail: `times slower, per CPU second: ${formatSpread(slower)}`,
    });
  }
  const note = `Indexing waits while the server is busy; between the windows it took ${Math.round(computeMedian(microsPerTile))} µs of CPU per tile, which the rates do not include.`;
  return { figures, sections: [buildSection(title, results, note)] };
}
