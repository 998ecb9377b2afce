import { beforeAll, expect, test, vi } from "vitest";
import { NO_LOG } from "#domain/core/log.ts";
import { startRefreshing } from "#service/background/refresh.ts";
import { authorizeOn } from "../../support/boards.ts";
import { service, useFileService } from "./files/file-service.ts";

useFileService();

const PATH = (): string => `/api/board/tiles/${linkId}`;
let linkId: string;
beforeAll(async () => {
  const made = await service.call("POST", "/api/inbound/tiles", {
    body: { board_id: service.boardId, url: "https://feeds.example/feed.xml" },
  });
  linkId = made.json.tile.id;
});

test("a refresh can be set and removed on links, is ignored for text, and is rejected with invalid intervals", async () => {
  expect((await service.call("PATCH", PATH(), { body: { refresh_minutes: 60 } })).json.tile.refreshMinutes).toBe(60);
  expect((await service.call("GET", PATH())).json.tile.refreshMinutes).toBe(60);
  for (const refresh_minutes of [0, 14, 1.5, "soon", 43_201]) {
    const answer = await service.call("PATCH", PATH(), { body: { refresh_minutes } });
    expect({ status: answer.status, error: answer.json.error }).toEqual({
      status: 400,
      error: expect.stringMatching(/^refresh_minutes /),
    });
  }
  expect((await service.call("PATCH", PATH(), { body: { refresh_minutes: null } })).json.tile.refreshMinutes).toBeUndefined();
  const text = (await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: { content: "Text" } })).json.tile.id;
  const ignored = await service.call("PATCH", `/api/board/tiles/${text}`, { body: { refresh_minutes: 60 } });
  expect([ignored.status, ignored.headers.get("x-ignored-fields")]).toEqual([200, "refresh_minutes"]);
  expect(ignored.json.tile.refreshMinutes).toBeUndefined();
});

test("a link is refreshed only when due", async () => {
  const { store } = service.appContext.deps;
  const { json } = await service.call("POST", "/api/inbound/tiles", { body: { board_id: service.boardId, url: "https://due.example/" } });
  const tileId = json.tile.id;
  const finish = async (): Promise<void> => {
    const jobs = await store.queue.claim(100, 100, Date.now());
    for (const job of jobs) {
      if (job.tileId !== tileId) continue;
      await store.queue.complete(job, { type: "FEED", title: "Feed", text: "Words", metadata: {}, warnings: [] }, Date.now());
    }
    await store.queue.release(
      jobs.filter((job) => job.tileId !== tileId),
      Date.now(),
    );
  };
  await finish();
  const errors: unknown[] = [];
  const looks = vi.spyOn(store.tiles, "takeDueRefreshes");
  /** Waits for a complete check of due tiles after this call: the second check starts when the first has ended. */
  const waitForLook = async (): Promise<void> => {
    const before = looks.mock.calls.length;
    await expect.poll(() => looks.mock.calls.length, { timeout: 300_000 }).toBeGreaterThanOrEqual(before + 2);
  };
  const refreshing = startRefreshing({ ...service.appContext.deps, log: { ...NO_LOG, error: (fields) => void errors.push(fields) } }, 20);
  try {
    await service.call("PATCH", `/api/board/tiles/${tileId}`, { body: { refresh_minutes: 15 } });
    await waitForLook();
    expect((await service.call("GET", `/api/board/tiles/${tileId}`)).json.tile.status).toBe("ready");
    const board = (await store.boards.find(service.businessId, service.boardId))!;
    await store.tiles.update(authorizeOn(board), tileId, { refreshMinutes: null }, Date.now());
    await store.tiles.update(authorizeOn(board), tileId, { refreshMinutes: 15 }, Date.now() - 15 * 60_000);
    await expect
      .poll(async () => (await service.call("GET", `/api/board/tiles/${tileId}`)).json.tile.status, { timeout: 300_000 })
      .toBe("processing");
    await finish();
    await waitForLook();
    expect((await service.call("GET", `/api/board/tiles/${tileId}`)).json.tile.status).toBe("ready");
    expect(errors).toEqual([]);
  } finally {
    await refreshing.stop();
    looks.mockRestore();
  }
});

test("a retry of a board retries every failed tile of it, and no other", async () => {
  const { store } = service.appContext.deps;
  const failedIds: string[] = [];
  for (let i = 0; i < 3; i++)
    failedIds.push(
      (await service.call("POST", "/api/inbound/tiles", { body: { board_id: service.boardId, url: `https://gone${i}.example/` } })).json
        .tile.id,
    );
  const jobs = await store.queue.claim(100, 100, Date.now());
  for (const job of jobs)
    if (failedIds.includes(job.tileId))
      await store.queue.fail(job, { code: "not_found", message: "Gone.", stage: "fetch", retryable: false, attempts: 1 }, Date.now());
  expect((await service.call("POST", `/api/board/${service.boardId}/tiles/retry`)).json).toEqual({ retried: 3 });
  expect((await service.call("POST", `/api/board/${service.boardId}/tiles/retry`)).json).toEqual({ retried: 0 });
  for (const id of failedIds)
    expect((await service.call("GET", `/api/board/tiles/${id}`)).json.tile).toMatchObject({ id, status: "processing", error: null });
});
