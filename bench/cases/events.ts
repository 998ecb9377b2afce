import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { MAX_SUBSCRIPTIONS } from "#domain/events/subscription.ts";
import { type BenchContext, sleep } from "../context.ts";
import type { Options } from "../load/load-context.ts";
import { computeQuantile, computeSpread, formatSpread } from "../output/numbers.ts";
import type { Report } from "../output/report.ts";
import { readCpuSeconds } from "../processes/stats.ts";
import { type Board, callApi, createBoard, type Service, startService } from "../servers/service.ts";

/** Targets: what subscriptions may add to the creation of a tile, and the CPU of a call of the change feed with nothing new. */
const MAX_ADDED = 1.1;
const MAX_FEED_MS = 1;

const ROUNDS = 5;
const TILES_PER_ROUND = 40;
/** The deliveries of a tile are recorded and sent in between, as on a service that is not at its limit. */
const PAUSE_MS = 100;
const FEED_CALLS = 3_000;

/** Measures what subscriptions add to the creation of a tile, and the change feed. */
export async function runEvents(context: BenchContext, { isQuick }: Options): Promise<Report> {
  const receiver = createServer((request, response) => void request.resume().on("end", () => response.end()));
  await new Promise<void>((resolve) => void receiver.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const environment = { EMBEDDINGS: "off", WEBHOOK_ALLOW: host };
  try {
    const start = async (name: string): Promise<{ readonly service: Service; readonly board: Board }> => {
      const dataDir = join(context.folder, name);
      const board = await createBoard(dataDir, name, environment, ["--webhooks"]);
      return { service: await startService(context, dataDir, environment), board };
    };
    const [plain, subscribed] = [await start("events-plain"), await start("events-subscribed")];
    for (let n = 0; n < MAX_SUBSCRIPTIONS; n++) {
      const body = { url: `http://${host}/${n}`, events: ["tile.created"] };
      await callApi(subscribed.service, subscribed.board.key, "POST", "/api/webhooks", body);
    }
    const ratios: number[] = [];
    for (let round = 0; round < (isQuick ? 2 : ROUNDS); round++) ratios.push(await compareCreations(plain, subscribed));
    const feedMs = await measureFeed(plain, isQuick ? FEED_CALLS / 3 : FEED_CALLS);
    for (const { service } of [plain, subscribed]) await service.stop();
    return {
      figures: [
        {
          name: `create tile, with ${MAX_SUBSCRIPTIONS} subscriptions`,
          value: computeSpread(ratios).median,
          unit: "times",
          max: MAX_ADDED,
          detail: `the time of one without: ${formatSpread(computeSpread(ratios))}; one tile every ${2 * PAUSE_MS} ms`,
        },
        {
          name: "changes, nothing new",
          value: feedMs,
          unit: "ms",
          max: MAX_FEED_MS,
          detail: "CPU of the service for each call",
        },
      ],
      sections: [],
    };
  } finally {
    receiver.close();
    receiver.closeAllConnections();
  }
}

type Side = { readonly service: Service; readonly board: Board };

/** Creates tiles on both services in turn. Returns the median time with subscriptions, divided by that without. */
async function compareCreations(plain: Side, subscribed: Side): Promise<number> {
  const durations = new Map<Side, number[]>([
    [plain, []],
    [subscribed, []],
  ]);
  for (let n = 0; n < TILES_PER_ROUND; n++) {
    for (const [side, times] of n % 2 === 0 ? durations : [...durations].toReversed()) {
      await sleep(PAUSE_MS);
      const started = performance.now();
      await callApi(side.service, side.board.key, "POST", `/api/board/${side.board.id}/tiles`, { title: `Note ${n}`, content: "A note." });
      times.push(performance.now() - started);
    }
  }
  const median = (side: Side): number => computeQuantile(Float64Array.from(durations.get(side) ?? []).sort(), 0.5);
  return median(subscribed) / median(plain);
}

/** Returns the CPU time of a call of the change feed that has nothing new, in milliseconds. */
async function measureFeed({ service, board }: Side, calls: number): Promise<number> {
  const { nextCursor } = await callApi<{ nextCursor: string }>(service, board.key, "GET", "/api/changes?cursor=now");
  const path = `/api/changes?cursor=${nextCursor}`;
  for (let n = 0; n < calls / 10; n++) await callApi(service, board.key, "GET", path);
  const before = readCpuSeconds(service.pid);
  for (let n = 0; n < calls; n++) await callApi(service, board.key, "GET", path);
  return ((readCpuSeconds(service.pid) - before) / calls) * 1_000;
}
