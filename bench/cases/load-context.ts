import { startChild } from "../processes/worker-process.ts";
import type { Load } from "../load/compare.ts";
import { type Peer, startPeer } from "../servers/baseline.ts";
import type { Scene } from "../context.ts";
import { type Stage, prepareStage } from "../servers/fixture.ts";
import type { Job, Outcome } from "../load/load-job.ts";

export type Options = {
  readonly isQuick: boolean;
  /** Tiles on other boards of the second service; 0 leaves it out. */
  readonly tiles: number;
  readonly only: string | undefined;
};

/** What the cases under load share: the service alone, the service with many tiles beside, the plain server. */
export type World = {
  readonly options: Options;
  readonly small: Stage;
  readonly big: Stage | null;
  readonly peer: Peer;
};

/** A world with a load generator of its own: one that has noted millions of answers stops to collect its garbage. */
export type Loaded<W> = W & { readonly load: Load };
export type LoadedWorld = Loaded<World>;

export async function createWorld(scene: Scene, options: Options): Promise<World> {
  const big = options.tiles === 0 ? null : await prepareStage(scene, "big", options.tiles);
  const small = await prepareStage(scene, "small", 0);
  const peer = await startPeer(scene, small);
  return { options, small, big, peer };
}

export async function withLoad<W extends object, T>(scene: Scene, world: W, work: (world: Loaded<W>) => Promise<T>): Promise<T> {
  const load = startChild<Job, Outcome>(scene, "load");
  try {
    return await work({ ...world, load });
  } finally {
    load.child.disconnect();
  }
}

export const SERVICE = "service";
export const UNCACHED = "service, uncached";
export const BIG = "service with many tiles";
export const BIG_UNCACHED = "service with many tiles, uncached";
export const PLAIN = "plain node:http";
/** How much slower many tiles on other boards may make it. */
export const MAX_TIMES = 1.3;
/** And how much slower asking a board. */
export const MAX_TIMES_ASK = 1.2;
