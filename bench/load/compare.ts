import { type Spread, formatCount, formatDecimal, computeMedian, computeSpread } from "../output/numbers.ts";
import type { WorkerProcess } from "../processes/worker-process.ts";
import type { LoadJob, LoadResult, Target } from "./load-job.ts";
import type { Section } from "../output/report.ts";

export type LoadGenerator = WorkerProcess<LoadJob, LoadResult>;

/** A server, or one kind of requests to it, that is compared with others. */
export type MeasuredServer = {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  readonly targets: readonly Target[];
  /** Called after each window; not measured. */
  readonly afterWindow?: () => Promise<void>;
};

export type LoadPlan = {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly rate?: () => Promise<number>;
  readonly usesHttpClient?: boolean;
};

const WARM_SECONDS = 0.3;
const FIRST_WARM_SECONDS = 1;

/** Measures the servers in the order A B C, then C B A, so that drift of the machine affects all alike. Starts with a warm-up round. */
export async function compare(load: LoadGenerator, servers: readonly MeasuredServer[], plan: LoadPlan): Promise<Map<string, LoadResult[]>> {
  const { seconds, connections } = plan;
  const createJob = async () => ({
    connections,
    usesHttpClient: plan.usesHttpClient === true,
    ...(plan.rate === undefined ? {} : { rate: await plan.rate() }),
  });
  const results = new Map<string, LoadResult[]>(servers.map(({ name }) => [name, []]));
  const first = await createJob();
  for (const { port, pid, targets, afterWindow } of servers) {
    await load.request({ ...first, port, pid, targets, warmSeconds: 0, seconds: FIRST_WARM_SECONDS });
    await afterWindow?.();
  }
  for (let round = 0; round < plan.rounds; round++) {
    const job = await createJob();
    for (const { name, port, pid, targets, afterWindow } of round % 2 === 0 ? servers : servers.toReversed()) {
      const result = await load.request({ ...job, port, pid, targets, warmSeconds: WARM_SECONDS, seconds });
      results.get(name)?.push(result);
      await afterWindow?.();
    }
  }
  return results;
}

export const responsesPerCpuSecond = ({ responses, cpuSeconds }: LoadResult): number => responses / cpuSeconds;
export const responsesPerSecond = ({ responses, seconds }: LoadResult): number => responses / seconds;

/** The ratio of `measure` between two servers, computed for each round. */
export function computeRatio(
  results: ReadonlyMap<string, readonly LoadResult[]>,
  one: string,
  other: string,
  measure: (result: LoadResult) => number,
): Spread {
  const others = results.get(other) ?? [];
  return computeSpread((results.get(one) ?? []).map((result, round) => measure(result) / measure(others[round] as LoadResult)));
}

/** A table with the measurements of each server. */
export function buildSection(title: string, results: ReadonlyMap<string, readonly LoadResult[]>, note?: string): Section {
  const median = (list: readonly LoadResult[], measure: (result: LoadResult) => number): number => computeMedian(list.map(measure));
  return {
    title,
    ...(note === undefined ? {} : { note }),
    columns: ["server", "requests per CPU second", "requests per second", "p50 ms", "p99 ms", "generator delay p99 ms"],
    rows: [...results].map(([name, list]) => [
      name,
      formatCount(median(list, responsesPerCpuSecond)),
      formatCount(median(list, responsesPerSecond)),
      formatDecimal(median(list, ({ latency }) => latency.p50)),
      formatDecimal(median(list, ({ latency }) => latency.p99)),
      formatDecimal(median(list, ({ generatorDelay }) => generatorDelay)),
    ]),
  };
}
