import { type MeasuredServer, compare, responsesPerCpuSecond, responsesPerSecond, computeRatio, buildSection } from "../load/compare.ts";
import type { Target } from "../load/load-job.ts";
import { formatCount, computeMedian, formatSpread } from "../output/numbers.ts";
import type { Figure, Report, Section } from "../output/report.ts";
import type { Fixture } from "../servers/fixture.ts";
import { BASELINE, SERVICE, type LoadContext } from "../load/load-context.ts";

const CONNECTIONS = 16;
const MIN_RATIO = 0.45;
const LISTS = ["zones", "tiles"] as const;

/**
 * Measures lists at a third of capacity, with Node's HTTP client. At saturation one turn of the event loop serves many requests;
 * here nearly every request needs its own.
 */
export async function runPartialLoad(context: LoadContext): Promise<Report> {
  const figures: Figure[] = [];
  const sections: Section[] = [];
  for (const list of LISTS) {
    const report = await runList(context, list);
    figures.push(...report.figures);
    sections.push(...report.sections);
  }
  return { figures, sections };
}

async function runList({ options, small, baseline, load }: LoadContext, list: (typeof LISTS)[number]): Promise<Report> {
  const target = small[list];
  const servers: MeasuredServer[] = [
    { name: SERVICE, port: small.service.port, pid: small.service.pid, targets: [target] },
    { name: BASELINE, port: baseline.port, pid: baseline.pid, targets: [target] },
  ];
  const rates: number[] = [];
  const measureThirdOfCapacity = async (): Promise<number> => {
    const third = (await measureCapacity(load, small, target)) / 3;
    rates.push(third);
    return third;
  };
  const results = await compare(load, servers, {
    rounds: options.isQuick ? 3 : 7,
    seconds: options.isQuick ? 1.5 : 3,
    connections: CONNECTIONS,
    rate: measureThirdOfCapacity,
    usesHttpClient: true,
  });
  const ratio = computeRatio(results, SERVICE, BASELINE, responsesPerCpuSecond);
  const formatMicroseconds = (name: string): string =>
    formatCount(computeMedian((results.get(name) ?? []).map((result) => 1e6 / responsesPerCpuSecond(result))));
  const figure: Figure = {
    name: `list ${list} at a third of capacity`,
    value: ratio.median,
    unit: "ratio",
    min: MIN_RATIO,
    detail: `of the baseline, per CPU second: ${formatSpread(ratio)}; ${formatMicroseconds(SERVICE)} µs of server CPU per request, baseline ${formatMicroseconds(BASELINE)} µs`,
  };
  const title = `List ${list} at ${formatCount(computeMedian(rates))} requests per second, a third of capacity, ${CONNECTIONS} connections of Node's HTTP client`;
  return { figures: [figure], sections: [buildSection(title, results)] };
}

/** Requests per second when each connection sends its next request immediately. */
async function measureCapacity(load: LoadContext["load"], { service }: Fixture, target: Target): Promise<number> {
  const result = await load.request({
    port: service.port,
    pid: service.pid,
    targets: [target],
    connections: CONNECTIONS,
    warmSeconds: 0.2,
    seconds: 1,
  });
  return responsesPerSecond(result);
}
