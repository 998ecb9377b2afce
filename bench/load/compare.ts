import { type Spread, count, decimal, medianOf, spreadOf } from "../output/numbers.ts";
import type { Helper } from "../processes/worker-process.ts";
import type { Job, Outcome, Target } from "./load-job.ts";
import type { Section } from "../output/report.ts";

export type Load = Helper<Job, Outcome>;

/** One of several servers, or one way of asking it, that are measured in turn. */
export type Contender = {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  readonly targets: readonly Target[];
  /** Called once each window is over, outside of it. */
  readonly settle?: () => Promise<void>;
};

export type Pace = {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly rate?: () => Promise<number>;
  readonly isOrdinaryClient?: boolean;
};

const WARM_SECONDS = 0.3;
const FIRST_WARM_SECONDS = 1;

/** Measures the contenders in turn, A B C then C B A, so that whatever drifts on the machine meets all alike. One warm-up round goes before. */
export async function compare(load: Load, contenders: readonly Contender[], pace: Pace): Promise<Map<string, Outcome[]>> {
  const { seconds, connections } = pace;
  const jobAt = async () => ({
    connections,
    isOrdinaryClient: pace.isOrdinaryClient === true,
    ...(pace.rate === undefined ? {} : { rate: await pace.rate() }),
  });
  const outcomes = new Map<string, Outcome[]>(contenders.map(({ name }) => [name, []]));
  const first = await jobAt();
  for (const { port, pid, targets, settle } of contenders) {
    await load.ask({ ...first, port, pid, targets, warmSeconds: 0, seconds: FIRST_WARM_SECONDS });
    await settle?.();
  }
  for (let round = 0; round < pace.rounds; round++) {
    const job = await jobAt();
    for (const { name, port, pid, targets, settle } of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const outcome = await load.ask({ ...job, port, pid, targets, warmSeconds: WARM_SECONDS, seconds });
      outcomes.get(name)?.push(outcome);
      await settle?.();
    }
  }
  return outcomes;
}

export const perCpuSecond = ({ answers, cpuSeconds }: Outcome): number => answers / cpuSeconds;
export const perSecond = ({ answers, seconds }: Outcome): number => answers / seconds;

/** `measure` of one contender as a share of another's, round by round. */
export function ratio(
  outcomes: ReadonlyMap<string, readonly Outcome[]>,
  one: string,
  other: string,
  measure: (outcome: Outcome) => number,
): Spread {
  const others = outcomes.get(other) ?? [];
  return spreadOf((outcomes.get(one) ?? []).map((outcome, round) => measure(outcome) / measure(others[round] as Outcome)));
}

/** Every contender's plain numbers. */
export function sectionOf(title: string, outcomes: ReadonlyMap<string, readonly Outcome[]>, note?: string): Section {
  const median = (list: readonly Outcome[], measure: (outcome: Outcome) => number): number => medianOf(list.map(measure));
  return {
    title,
    ...(note === undefined ? {} : { note }),
    columns: ["server", "requests per CPU second", "requests per second", "p50 ms", "p99 ms", "generator late p99 ms"],
    rows: [...outcomes].map(([name, list]) => [
      name,
      count(median(list, perCpuSecond)),
      count(median(list, perSecond)),
      decimal(median(list, ({ latency }) => latency.p50)),
      decimal(median(list, ({ latency }) => latency.p99)),
      decimal(median(list, ({ lateness }) => lateness)),
    ]),
  };
}
