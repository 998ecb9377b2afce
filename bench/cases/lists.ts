import { type MeasuredServer, compare, responsesPerCpuSecond, responsesPerSecond, computeRatio, buildSection } from "../load/compare.ts";
import type { Target } from "../load/load-job.ts";
import { formatSpread } from "../output/numbers.ts";
import type { Figure, Report } from "../output/report.ts";
import type { Fixture } from "../servers/fixture.ts";
import { LARGE, LARGE_UNCACHED, MAX_SLOWDOWN, BASELINE, SERVICE, UNCACHED, type LoadContext } from "../load/load-context.ts";

const CONNECTIONS = 32;
const MIN_RATIO = 0.5;

export const runZones = (context: LoadContext): Promise<Report> => runList(context, "list zones (20)", ({ zones }) => zones);
export const runTiles = (context: LoadContext): Promise<Report> =>
  runList(context, "list tiles (50 of 500 characters)", ({ tiles }) => tiles);

async function runList(
  { options, small, big, baseline, load }: LoadContext,
  title: string,
  selectTarget: (fixture: Fixture) => Target,
): Promise<Report> {
  const toServer = (name: string, fixture: Fixture, target: Target): MeasuredServer => ({
    name,
    port: fixture.service.port,
    pid: fixture.service.pid,
    targets: [target],
  });
  const servers = [
    toServer(SERVICE, small, selectTarget(small)),
    toServer(UNCACHED, small, { ...selectTarget(small), isUncached: true }),
    ...(big === null
      ? []
      : [toServer(LARGE, big, selectTarget(big)), toServer(LARGE_UNCACHED, big, { ...selectTarget(big), isUncached: true })]),
    { name: BASELINE, port: baseline.port, pid: baseline.pid, targets: [selectTarget(small)] },
  ];
  const results = await compare(load, servers, {
    rounds: options.isQuick ? 3 : 7,
    seconds: options.isQuick ? 0.8 : 1.6,
    connections: CONNECTIONS,
  });
  const ratio = computeRatio(results, SERVICE, BASELINE, responsesPerCpuSecond);
  const uncached = computeRatio(results, UNCACHED, BASELINE, responsesPerCpuSecond);
  const figures: Figure[] = [
    {
      name: title,
      value: ratio.median,
      unit: "ratio",
      min: MIN_RATIO,
      detail: `of the baseline, per CPU second: ${formatSpread(ratio)}; uncached ${formatSpread(uncached)}; per second ${formatSpread(computeRatio(results, SERVICE, BASELINE, responsesPerSecond))}`,
    },
  ];
  if (big !== null) {
    const cached = computeRatio(results, SERVICE, LARGE, responsesPerCpuSecond);
    const slower = computeRatio(results, UNCACHED, LARGE_UNCACHED, responsesPerCpuSecond);
    figures.push(
      {
        name: `${title}, with many tiles`,
        value: cached.median,
        unit: "times",
        max: MAX_SLOWDOWN,
        detail: `times slower, per CPU second: ${formatSpread(cached)}`,
      },
      {
        name: `${title}, with many tiles, uncached`,
        value: slower.median,
        unit: "times",
        max: MAX_SLOWDOWN,
        detail: `times slower, per CPU second: ${formatSpread(slower)}`,
      },
    );
  }
  return { figures, sections: [buildSection(`${title}, ${CONNECTIONS} connections`, results)] };
}
