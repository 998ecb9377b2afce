import { createRandom, type Random } from "./random.ts";

/** One kind of remote input. */
export type Target = {
  readonly name: string;
  /** Rounds of `npm test`, chosen to take 5–8 seconds on an idle core. */
  readonly testRounds: number;
  /** Sets up what all rounds share. */
  open(): Promise<OpenTarget>;
};

export type OpenTarget = {
  /** Tries one input derived from `random` only. Throws a report if the program does not handle it. */
  round(random: Random): Promise<void>;
  close(): Promise<void>;
};

export type RunOptions = {
  readonly seed: number;
  /** The first round, to repeat a failed one. */
  readonly from?: number;
  /** Ends after this many rounds or milliseconds, whichever is first. */
  readonly rounds?: number;
  readonly ms?: number;
};

/** A round that takes longer hangs. */
const MAX_ROUND_MS = 60_000;
/** The maximum memory growth of the process over all rounds, in MiB. */
const MAX_GROWTH_MIB = 700;

const residentMib = (): number => process.memoryUsage.rss() / 1_048_576;

/**
 * Runs rounds of a target, whose input is determined by the seed and the number of the round. Fails for errors that a round throws,
 * unhandled errors, a round that hangs, and growing memory. Returns the number of rounds that ran.
 */
export async function runTarget(
  target: Target,
  { seed, from = 0, rounds = Number.POSITIVE_INFINITY, ms = Infinity }: RunOptions,
): Promise<number> {
  const strays: unknown[] = [];
  const onStray = (error: unknown): void => void strays.push(error);
  process.on("uncaughtException", onStray).on("unhandledRejection", onStray);
  const opened = await target.open();
  const end = performance.now() + ms;
  const before = residentMib();
  let round = from;
  try {
    for (; round - from < rounds && performance.now() < end; round++) {
      await inTime(opened.round(createRandom(seed * 1_000_003 + round)));
      if (strays.length > 0) throw new Error("An error was handled by nobody.", { cause: strays[0] });
      if (residentMib() - before > MAX_GROWTH_MIB)
        throw new Error(`The process grew from ${before.toFixed(0)} to ${residentMib().toFixed(0)} MiB.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (strays.length > 0) throw new Error("An error was handled by nobody.", { cause: strays[0] });
    return round - from;
  } catch (cause) {
    throw new Error(
      `The fuzzer "${target.name}" found a failure in round ${round} of seed ${seed}. Repeat it with: ` +
        `npm run fuzz -- --target ${target.name} --seed ${seed} --from ${round} --rounds 1`,
      { cause },
    );
  } finally {
    await opened.close();
    process.off("uncaughtException", onStray).off("unhandledRejection", onStray);
  }
}

async function inTime(work: Promise<void>): Promise<void> {
  const stuck = Promise.withResolvers<never>();
  const timer = setTimeout(() => stuck.reject(new Error(`The round did not end within ${MAX_ROUND_MS} ms.`)), MAX_ROUND_MS);
  try {
    await Promise.race([work, stuck.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Throws unless the error has one of the expected kinds. */
export function expectKind(error: unknown, ...kinds: readonly (new (...args: never[]) => Error)[]): void {
  if (kinds.some((kind) => error instanceof kind)) return;
  throw new Error(`Threw something else than ${kinds.map(({ name }) => name).join(" or ")}.`, { cause: error });
}
