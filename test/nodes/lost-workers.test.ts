import { expect, test } from "vitest";
import { tesseraJson } from "../e2e/support/process.ts";
import { pause, sendPage, until } from "../e2e/support/servers.ts";
import { seconds, printFigure } from "./support/figures.ts";
import { countEvents, listTiles, openHoldingOrigin, openTestReceiver, postLinks } from "./support/links.ts";
import { type Access, openNodes } from "./support/nodes.ts";

const JOBS = 50;

const startNodesWithJobs = async (respond?: Parameters<typeof openHoldingOrigin>[0], attempts = "3") => {
  const origin = await openHoldingOrigin(respond);
  const receiver = await openTestReceiver();
  const nodes = await openNodes({
    FETCH_ALLOW: origin.host,
    WEBHOOK_ALLOW: receiver.host,
    INGEST_CONCURRENCY: "64",
    INGEST_PER_HOST: "64",
    INGEST_TIMEOUT_MS: "120000",
    INGEST_ATTEMPTS: attempts,
  });
  const access = await nodes.newAccess();
  await tesseraJson(nodes.environment, "webhook", "set", receiver.url);
  const [api, first] = await Promise.all([nodes.start("api"), nodes.start("worker")]);
  const tileIds = await postLinks(
    api.url,
    access,
    Array.from({ length: JOBS }, (_, n) => `${origin.url}/${n}`),
  );
  await until("all running links", () => origin.requestedPaths.length === JOBS);
  const second = await nodes.start("worker");
  return { origin, receiver, access, api, first, second, tileIds };
};

const settled = (url: string, access: Access, ms: number) =>
  until(
    "the end of all jobs",
    async () => {
      const tiles = await listTiles(url, access);
      return tiles.every(({ status }) => status !== "processing") && tiles;
    },
    ms,
  );

test("a worker lost by kill -9 has its links continued by another one once their leases expired", { timeout: 300_000 }, async () => {
  const { origin, receiver, access, api, first, second, tileIds } = await startNodesWithJobs();
  await first.kill("SIGKILL");
  const killed = performance.now();
  origin.release();
  const tiles = await settled(api.url, access, 60_000);
  printFigure(`${JOBS} jobs of a killed worker: all ready after ${seconds(performance.now() - killed)}`);
  expect(tiles.map(({ status }) => status)).toEqual(tileIds.map(() => "ready"));
  await until("the events", () => receiver.received.length >= JOBS);
  await pause(1_000);
  // No event was being sent when the worker was killed, so none may be missing.
  expect(countEvents(receiver, "tile.ready")).toEqual(new Map(tileIds.map((id) => [id, 1])));
  expect(receiver.received).toHaveLength(JOBS);
  expect(origin.requestedPaths).toHaveLength(2 * JOBS);
  expect(second.stderr() + api.stderr()).toBe("");
});

test(
  "a worker ended by SIGTERM releases its links, which are read at once, and the attempt is not counted",
  { timeout: 300_000 },
  async () => {
    // With a limit of one attempt, a counted attempt would leave none.
    const { origin, access, api, first, second } = await startNodesWithJobs((response, path) => {
      if (path !== "/7") return sendPage(response, `Page ${path}`);
      response.statusCode = 500;
      response.end();
    }, "1");
    origin.release();
    const { code, stderr } = await first.kill("SIGTERM");
    const ended = performance.now();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const tiles = await settled(api.url, access, 60_000);
    printFigure(`${JOBS} jobs of a worker stopped by SIGTERM: all done ${seconds(performance.now() - ended)} after its end`);
    // A link that waits for its lease to expire would use its only attempt and fail as `worker_lost`.
    expect(tiles.filter(({ status }) => status === "ready")).toHaveLength(JOBS - 1);
    const failed = tiles.find(({ sourceUrl }) => sourceUrl === `${origin.url}/7`);
    expect(failed).toMatchObject({ status: "failed", error: { code: "server_error", attempts: 1, retryable: true } });
    expect(second.stderr()).toBe("");
  },
);
