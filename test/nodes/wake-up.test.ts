import { expect, onTestFinished, test } from "vitest";
import { call } from "../e2e/support/process.ts";
import { listen, pause, sendPage } from "../e2e/support/servers.ts";
import { median, printFigure } from "./support/figures.ts";
import { openNodes } from "./support/nodes.ts";

const TIMES = 20;
/** Half of the interval at which an idle worker polls: without a notification, the median would be about that. */
const MEDIAN_MS = 500;

test("a link posted to an idle API node is fetched at once by an idle worker node", { timeout: 300_000 }, async () => {
  const askedAt = new Map<string, number>();
  const origin = await listen((request, response) => {
    askedAt.set(request.url ?? "", performance.now());
    sendPage(response, `Page ${request.url}`);
  });
  onTestFinished(() => origin.close());
  const nodes = await openNodes({ FETCH_ALLOW: origin.host });
  const { key, boardId } = await nodes.newAccess();
  const [api] = await Promise.all([nodes.start("api"), nodes.start("worker")]);

  const waits: number[] = [];
  for (let n = 0; n < TIMES; n++) {
    // The delays differ, so that they are not in phase with polling once a second.
    await pause(200 + n * 17);
    const { status, json } = await call(api.url, key, "POST", "/api/inbound/tiles", { board_id: boardId, url: `${origin.url}/${n}` });
    const answeredAt = performance.now();
    expect(status).toBe(200);
    const { json: read } = await call(api.url, key, "GET", `/api/board/tiles/${json.tile.id}?wait=25`);
    expect(read.tile.status).toBe("ready");
    waits.push((askedAt.get(`/${n}`) ?? NaN) - answeredAt);
  }
  printFigure(
    `from the answer of a POST until a worker on another node asks the origin, ${TIMES} times: median ${median(waits).toFixed(1)} ms, at most ${Math.max(...waits).toFixed(1)} ms`,
  );
  expect(median(waits)).toBeLessThan(MEDIAN_MS);
});
