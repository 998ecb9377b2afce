import { expect, test } from "vitest";
import { call } from "../e2e/support/process.ts";
import { pause, until } from "../e2e/support/servers.ts";
import { median, printFigure } from "./support/figures.ts";
import { type Nodes, openNodes } from "./support/nodes.ts";
import { startDurablePostgres } from "./support/postgres.ts";

const MAX_DELAY_MS = 1_000;
const MAX_DELAY_AFTER_RESTART_MS = 3_000;

/** A board watched on one node and changed on another; `change` returns how long the watcher waited for the notification. */
async function watchBoard(nodes: Nodes) {
  const { key, businessId, boardId } = await nodes.newAccess();
  const { deps } = await nodes.appContext();
  const api = await nodes.start("api");
  let toldAt = NaN;
  deps.store.changes.watch(businessId, boardId, () => (toldAt = performance.now()));
  // The first notification covers what may have changed before.
  await until("the first word", async () => !Number.isNaN(toldAt));
  return {
    async change(): Promise<number> {
      toldAt = NaN;
      const post = () => call(api.url, key, "POST", `/api/board/${boardId}/tiles`, { content: "one more" });
      const startedAt = await until("the change", async () => {
        const at = performance.now();
        return (await post()).status === 200 && at;
      });
      await until("the word of it", () => !Number.isNaN(toldAt));
      return toldAt - startedAt;
    },
  };
}

test("a watcher on another node is notified of a changed board within a second", { timeout: 300_000 }, async () => {
  const board = await watchBoard(await openNodes());
  const waits: number[] = [];
  for (let n = 0; n < 20; n++) {
    await pause(50 + n * 13);
    waits.push(await board.change());
  }
  printFigure(
    `a change told to a watcher on another node, 20 times: median ${median(waits).toFixed(1)} ms, at most ${Math.max(...waits).toFixed(1)} ms`,
  );
  // The median, since a busy machine delays some of them.
  expect(median(waits)).toBeLessThan(MAX_DELAY_MS);
});

test("a watcher is notified within three seconds after a restart of PostgreSQL", { timeout: 300_000 }, async () => {
  const postgres = await startDurablePostgres();
  const board = await watchBoard(await openNodes({}, postgres));
  await board.change();
  await postgres.stopKeeping("immediate");
  await pause(1_500);
  await postgres.start();
  const first = await board.change();
  const later = await board.change();
  printFigure(`a change told to a watcher after a restart of PostgreSQL: ${first.toFixed(1)} ms, the next one ${later.toFixed(1)} ms`);
  expect(Math.max(first, later)).toBeLessThan(MAX_DELAY_AFTER_RESTART_MS);
});
