import { type Contender, compare, perCpuSecond, perSecond, ratio, sectionOf } from "../load/compare.ts";
import type { Target } from "../load/load-job.ts";
import { spread } from "../output/numbers.ts";
import type { Figure, Report } from "../output/report.ts";
import type { Stage } from "../servers/fixture.ts";
import { BIG, BIG_UNCACHED, MAX_TIMES, PLAIN, SERVICE, UNCACHED, type LoadedWorld } from "./load-context.ts";

const CONNECTIONS = 32;
const LEAST = 0.5;

export const runZones = (world: LoadedWorld): Promise<Report> => runList(world, "list zones (20)", ({ zones }) => zones);
export const runTiles = (world: LoadedWorld): Promise<Report> => runList(world, "list tiles (50 of 500 characters)", ({ tiles }) => tiles);

async function runList(
  { options, small, big, peer, load }: LoadedWorld,
  title: string,
  targetOf: (stage: Stage) => Target,
): Promise<Report> {
  const of = (name: string, stage: Stage, target: Target): Contender => ({
    name,
    port: stage.service.port,
    pid: stage.service.pid,
    targets: [target],
  });
  const contenders = [
    of(SERVICE, small, targetOf(small)),
    of(UNCACHED, small, { ...targetOf(small), isUncached: true }),
    ...(big === null ? [] : [of(BIG, big, targetOf(big)), of(BIG_UNCACHED, big, { ...targetOf(big), isUncached: true })]),
    { name: PLAIN, port: peer.port, pid: peer.pid, targets: [targetOf(small)] },
  ];
  const outcomes = await compare(load, contenders, {
    rounds: options.isQuick ? 3 : 7,
    seconds: options.isQuick ? 0.8 : 1.6,
    connections: CONNECTIONS,
  });
  const share = ratio(outcomes, SERVICE, PLAIN, perCpuSecond);
  const uncached = ratio(outcomes, UNCACHED, PLAIN, perCpuSecond);
  const figures: Figure[] = [
    {
      name: title,
      value: share.median,
      unit: "ratio",
      least: LEAST,
      beside: `of plain, per CPU second: ${spread(share)}; uncached ${spread(uncached)}; per second ${spread(ratio(outcomes, SERVICE, PLAIN, perSecond))}`,
    },
  ];
  if (big !== null) {
    const cached = ratio(outcomes, SERVICE, BIG, perCpuSecond);
    const slower = ratio(outcomes, UNCACHED, BIG_UNCACHED, perCpuSecond);
    figures.push(
      {
        name: `${title}, with many tiles`,
        value: cached.median,
        unit: "times",
        most: MAX_TIMES,
        beside: `slower, per CPU second: ${spread(cached)}`,
      },
      {
        name: `${title}, with many tiles, uncached`,
        value: slower.median,
        unit: "times",
        most: MAX_TIMES,
        beside: `slower, per CPU second: ${spread(slower)}`,
      },
    );
  }
  return { figures, sections: [sectionOf(`${title}, ${CONNECTIONS} connections`, outcomes)] };
}
