import { type Contender, compare, perCpuSecond, perSecond, ratio, sectionOf } from "../load/compare.ts";
import type { Target } from "../load/load-job.ts";
import { count, medianOf, spread } from "../output/numbers.ts";
import type { Figure, Report, Section } from "../output/report.ts";
import type { Stage } from "../servers/fixture.ts";
import { PLAIN, SERVICE, type LoadedWorld } from "./load-context.ts";

const CONNECTIONS = 16;
const MIN_RATIO = 0.45;
const LISTS = ["zones", "tiles"] as const;

/**
 * Lists at a third of capacity, from an ordinary HTTP client: at saturation a turn of the event loop serves many requests,
 * here nearly every request pays for a turn of its own.
 */
export async function runPartialLoad(world: LoadedWorld): Promise<Report> {
  const figures: Figure[] = [];
  const sections: Section[] = [];
  for (const list of LISTS) {
    const report = await runList(world, list);
    figures.push(...report.figures);
    sections.push(...report.sections);
  }
  return { figures, sections };
}

async function runList({ options, small, peer, load }: LoadedWorld, list: (typeof LISTS)[number]): Promise<Report> {
  const target = small[list];
  const contenders: Contender[] = [
    { name: SERVICE, port: small.service.port, pid: small.service.pid, targets: [target] },
    { name: PLAIN, port: peer.port, pid: peer.pid, targets: [target] },
  ];
  const rates: number[] = [];
  const thirdOfCapacity = async (): Promise<number> => {
    const third = (await capacityOf(load, small, target)) / 3;
    rates.push(third);
    return third;
  };
  const outcomes = await compare(load, contenders, {
    rounds: options.isQuick ? 3 : 7,
    seconds: options.isQuick ? 1.5 : 3,
    connections: CONNECTIONS,
    rate: thirdOfCapacity,
    isOrdinaryClient: true,
  });
  const share = ratio(outcomes, SERVICE, PLAIN, perCpuSecond);
  const micros = (name: string): string => count(medianOf((outcomes.get(name) ?? []).map((outcome) => 1e6 / perCpuSecond(outcome))));
  const figure: Figure = {
    name: `list ${list} at a third of capacity`,
    value: share.median,
    unit: "ratio",
    least: MIN_RATIO,
    beside: `of plain, per CPU second: ${spread(share)}; ${micros(SERVICE)} µs of server CPU a request, plain ${micros(PLAIN)} µs`,
  };
  const title = `List ${list} at ${count(medianOf(rates))} requests a second, a third of capacity, ${CONNECTIONS} connections of Node's HTTP client`;
  return { figures: [figure], sections: [sectionOf(title, outcomes)] };
}

/** Requests a second when every connection asks again at once. */
async function capacityOf(load: LoadedWorld["load"], { service }: Stage, target: Target): Promise<number> {
  const outcome = await load.ask({
    port: service.port,
    pid: service.pid,
    targets: [target],
    connections: CONNECTIONS,
    warmSeconds: 0.2,
    seconds: 1,
  });
  return perSecond(outcome);
}
