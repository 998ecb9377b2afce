import { expect, test } from "vitest";
import { createClient, type TileProgress } from "@tessera-board/sdk";
import { until } from "../e2e/support/servers.ts";
import { openHoldingOrigin, postLinks } from "./support/links.ts";
import { openNodes } from "./support/nodes.ts";

test("an API node shows the progress of a worker node, and removes it soon after that was killed", { timeout: 300_000 }, async () => {
  const origin = await openHoldingOrigin();
  const nodes = await openNodes({ FETCH_ALLOW: origin.host, INGEST_TIMEOUT_MS: "60000" });
  const access = await nodes.newAccess();
  const [api, worker] = await Promise.all([nodes.start("api"), nodes.start("worker")]);

  const told: (readonly TileProgress[])[] = [];
  const { boards } = createClient({ baseUrl: api.url, apiKey: access.key });
  const ended = new AbortController();
  const following = boards.follow(access.boardId, () => {}, { onProgress: (tiles) => told.push(tiles), signal: ended.signal });
  following.catch(() => undefined);
  const [tileId] = await postLinks(api.url, access, [`${origin.url}/held`]);
  await until("the word of it", () => told.length > 0);
  expect(told).toEqual([[{ tileId, stage: "fetch", attempt: 1, maxAttempts: 3, startedAt: expect.any(String) }]]);

  await worker.kill("SIGKILL");
  await until("its end", () => told.length > 1);
  expect(told.at(-1)).toEqual([]);

  // Another worker claims the link, and its progress replaces that of the dead worker.
  await nodes.start("worker");
  await until("the second try", () => told.at(-1)?.length === 1);
  expect(told.at(-1)).toMatchObject([{ tileId, stage: "fetch", attempt: 2 }]);
  origin.release();
  ended.abort();
});
