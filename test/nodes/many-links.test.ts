import { expect, onTestFinished, test } from "vitest";
import { tesseraJson } from "../e2e/support/process.ts";
import { listen, until } from "../e2e/support/servers.ts";
import { seconds, printFigure } from "./support/figures.ts";
import { countEvents, listTiles, openTestReceiver, postLinks } from "./support/links.ts";
import { openNodes } from "./support/nodes.ts";
import { query } from "./support/postgres.ts";

const LINKS = 2_000;
const BATCH = 250;
/** The maximum number of concurrent deliveries of one business. */
const SENDING = 8;

const page = (path: string): string =>
  `<!doctype html><title>Page ${path}</title><main><h1>Page ${path}</h1><p>The ferry leaves at nine, and page ${path} says so.</p></main>`;

test("with two API nodes and two workers, one killed midway, no link is lost or read twice", { timeout: 180_000 }, async () => {
  const origin = await listen((request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(page(request.url ?? ""));
  });
  onTestFinished(() => origin.close());
  const receiver = await openTestReceiver();
  const nodes = await openNodes({
    FETCH_ALLOW: origin.host,
    WEBHOOK_ALLOW: receiver.host,
    INGEST_CONCURRENCY: "64",
    INGEST_PER_HOST: "128",
    // Interrupted deliveries of the killed worker are closed half a minute after this time limit has passed.
    WEBHOOK_TIMEOUT_MS: "5000",
  });
  const access = await nodes.newAccess();
  await tesseraJson(nodes.environment, "webhook", "set", receiver.url);
  const [first, second, killed, left] = await Promise.all([
    nodes.start("api"),
    nodes.start("api"),
    nodes.start("worker"),
    nodes.start("worker"),
  ]);

  const started = performance.now();
  const posting = (async () => {
    const tileIds: string[] = [];
    for (let n = 0; n < LINKS; n += BATCH) {
      const links = Array.from({ length: BATCH }, (_, i) => `${origin.url}/${n + i}`);
      tileIds.push(...(await postLinks((n / BATCH) % 2 === 0 ? first.url : second.url, access, links)));
    }
    return tileIds;
  })();
  const count = async (rows: string): Promise<number> =>
    Number((await query(nodes.environment.DATABASE_URL!, `SELECT count(*) FROM ${rows}`))[0]?.count);
  const ready = (): Promise<number> => count("tile WHERE status = 'ready'");
  await until("half of the tiles", async () => (await ready()) >= LINKS / 2);
  await killed.kill("SIGKILL");
  const readyAtKill = await ready();
  const tileIds = await posting;
  await until("all tiles", async () => (await ready()) === LINKS);
  const took = performance.now() - started;
  printFigure(
    `${LINKS} links over two API nodes and two workers, one killed at ${readyAtKill}: all ready after ${seconds(took)}, ${Math.round((LINKS / took) * 1_000)} a second`,
  );

  expect(readyAtKill).toBeLessThan(LINKS);
  const tiles = await listTiles(second.url, access);
  expect(tiles.map(({ id, status }) => `${id} ${status}`).toSorted()).toEqual(tileIds.map((id) => `${id} ready`).toSorted());
  expect(new Set(tiles.map(({ sourceUrl }) => sourceUrl)).size).toBe(LINKS);
  await until("the events", async () => (await count("delivery WHERE status IN ('pending', 'sending')")) === 0);
  const counts = countEvents(receiver, "tile.ready");
  const once = [...counts.values()].filter((count) => count === 1).length;
  printFigure(`${once} of ${LINKS} events were received once, ${counts.size - once} more than once, ${LINKS - counts.size} never`);
  expect(once).toBe(counts.size);
  expect(receiver.received).toHaveLength(counts.size);
  expect(LINKS - counts.size).toBeLessThanOrEqual(SENDING);
  expect(first.stderr() + second.stderr() + left.stderr()).toBe("");
});
