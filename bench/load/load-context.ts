import { startWorker } from "../processes/worker-process.ts";
import type { LoadGenerator } from "./compare.ts";
import { type BaselineServer, startBaseline } from "../servers/baseline.ts";
import type { BenchContext } from "../context.ts";
import { type Fixture, startFixture } from "../servers/fixture.ts";
import type { LoadJob, LoadResult } from "./load-job.ts";

export type Options = {
  readonly isQuick: boolean;
  /** Tiles on other boards of the second service; 0 omits it. */
  readonly tiles: number;
  readonly only: string | undefined;
};

/** What all load cases need: a service, a service with many tiles, and the baseline server. */
export type LoadFixtures = {
  readonly options: Options;
  readonly small: Fixture;
  readonly big: Fixture | null;
  readonly baseline: BaselineServer;
};

/** Adds a load generator of its own to each case, since one that has recorded millions of responses pauses for garbage collection. */
export type WithGenerator<W> = W & { readonly load: LoadGenerator };
export type LoadContext = WithGenerator<LoadFixtures>;

export async function startLoadFixtures(context: BenchContext, options: Options): Promise<LoadFixtures> {
  const big = options.tiles === 0 ? null : await startFixture(context, "big", options.tiles);
  const small = await startFixture(context, "small", 0);
  const baseline = await startBaseline(context, small);
  return { options, small, big, baseline };
}

export async function withLoadGenerator<W extends object, T>(
  context: BenchContext,
  fixtures: W,
  work: (fixtures: WithGenerator<W>) => Promise<T>,
): Promise<T> {
  const load = startWorker<LoadJob, LoadResult>(context, "load");
  try {
    return await work({ ...fixtures, load });
  } finally {
    load.child.disconnect();
  }
}

export const SERVICE = "service";
export const UNCACHED = "service, uncached";
export const LARGE = "service with many tiles";
export const LARGE_UNCACHED = "service with many tiles, uncached";
export const COMPRESSED = "service, compressed";
export const BASELINE = "plain node:http";
export const COMPRESSED_BASELINE = "plain node:http, compressed";
/** The maximum slowdown of requests by many tiles on other boards. */
export const MAX_SLOWDOWN = 1.3;
/** The maximum slowdown of a question. */
export const MAX_ASK_SLOWDOWN = 1.2;
