import { type MeasuredServer, compare, responsesPerCpuSecond, responsesPerSecond, computeRatio, buildSection } from "../load/compare.ts";
import type { Target } from "../load/load-job.ts";
import { formatSpread } from "../output/numbers.ts";
import type { Figure, Report } from "../output/report.ts";
import { ACCEPT_ENCODING } from "../servers/baseline.ts";
import type { Fixture } from "../servers/fixture.ts";
import {
  LARGE,
  LARGE_UNCACHED,
  MAX_SLOWDOWN,
  BASELINE,
  COMPRESSED,
  COMPRESSED_BASELINE,
  SERVICE,
  UNCACHED,
  type LoadContext,
} from "../load/load-context.ts";

const CONNECTIONS = 32;
const MIN_RATIO = 0.45;

export const runZones = (context: LoadContext): Promise<Report> => runList(context, "list zones (20)", ({ zones }) => zones);
export const runTiles = (context: LoadContext): Promise<Report> =>
  runList(context, "list tiles (50 of 500 characters)", ({ tiles }) => tiles);

/** The service and the baseline, without and with compression, and the service without its cache and with many tiles. */
function listServers({ small, big, baseline }: LoadContext, selectTarget: (fixture: Fixture) => Target): MeasuredServer[] {
  const target = selectTarget(small);
  const compressed = { ...target, acceptEncoding: ACCEPT_ENCODING };
  const toServer = (name: string, { port, pid }: Fixture["service"], one: Target): MeasuredServer => ({ name, port, pid, targets: [one] });
  const large =
    big === null
      ? []
      : [
          toServer(LARGE, big.service, selectTarget(big)),
          toServer(LARGE_UNCACHED, big.service, { ...selectTarget(big), isUncached: true }),
        ];
  return [
    toServer(SERVICE, small.service, target),
    toServer(COMPRESSED, small.service, compressed),
    toServer(UNCACHED, small.service, { ...target, isUncached: true }),
    ...large,
    { name: BASELINE, ...baseline, targets: [target] },
    { name: COMPRESSED_BASELINE, ...baseline, targets: [compressed] },
  ];
}

async function runList(fixtures: LoadContext, title: string, selectTarget: (fixture: Fixture) => Target): Promise<Report> {
  const { options, big, load } = fixtures;
  const servers = listServers(fixtures, selectTarget);
  const results = await compare(load, servers, {
    rounds: options.isQuick ? 3 : 7,
    seconds: options.isQuick ? 0.8 : 1.6,
    connections: CONNECTIONS,
  });
  const ratio = computeRatio(results, SERVICE, BASELINE, responsesPerCpuSecond);
  const uncached = computeRatio(results, UNCACHED, BASELINE, responsesPerCpuSecond);
  const compressed = computeRatio(results, COMPRESSED, COMPRESSED_BASELINE, responsesPerCpuSecond);
  const figures: Figure[] = [
    {
      name: title,
      value: ratio.median,
      unit: "ratio",
      min: MIN_RATIO,
      detail: `of the baseline, per CPU second: ${formatSpread(ratio)}; uncached ${formatSpread(uncached)}; per second ${formatSpread(computeRatio(results, SERVICE, BASELINE, responsesPerSecond))}`,
    },
    {
      name: `${title}, with Accept-Encoding`,
      value: compressed.median,
      unit: "ratio",
      min: MIN_RATIO,
      detail: `of the baseline, which sends the compressed bytes, per CPU second: ${formatSpread(compressed)}`,
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
