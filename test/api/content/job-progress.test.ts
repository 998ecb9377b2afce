import { expect, onTestFinished, test } from "vitest";
import { serveArticle, startOrigin } from "../../support/servers/origin.ts";
import { startTestService } from "../../support/service.ts";
import { type Stream, follow, useEventStreams } from "./support/event-streams.ts";

useEventStreams();

/** A service, and pages whose responses wait until they are released. */
async function startSlow(environment: Record<string, string> = {}) {
  const gate = Promise.withResolvers<void>();
  const origin = await startOrigin(async (request, response) => {
    if (request.url === "/lost") return response.writeHead(503).end();
    await gate.promise;
    return serveArticle(request, response);
  });
  onTestFinished(() => origin.close());
  const fresh = await startTestService({ FETCH_ALLOW: `127.0.0.1:${origin.port}`, ...environment });
  onTestFinished(() => fresh.stop());
  const add = async (path: string, boardId = fresh.boardId): Promise<string> =>
    (await fresh.call("POST", `/api/board/${boardId}/tiles`, { body: { url: origin.url + path } })).json.tile.id;
  return { fresh, add, letGo: gate.resolve };
}

/** The tiles of the next progress event. */
async function nextProgress(stream: Stream): Promise<any[]> {
  for (;;) {
    const told = await stream.next();
    if (told === null) throw new Error("The stream ended.");
    if (told.event === "progress") return told.data.tiles;
  }
}

test("job progress is sent to the streams of its board while the job runs, and removed when the tile is ready", async () => {
  const { fresh, add, letGo } = await startSlow();
  const other = (await fresh.call("POST", "/api/board/boards", { body: { name: "Other" } })).json.board.id;
  const [stream, elsewhere] = [await follow({ "x-api-key": fresh.key }, fresh), await follow({ "x-api-key": fresh.key }, fresh, other)];
  const before = Date.now();
  const tileId = await add("/slow");
  const [told, ...none] = await nextProgress(stream);
  expect(told).toEqual({ tileId, stage: "fetch", attempt: 1, maxAttempts: 3, startedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) });
  expect(none).toEqual([]);
  expect(Date.parse(told.startedAt)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(told.startedAt)).toBeLessThanOrEqual(Date.now());

  // A later stream gets the progress after its first revision.
  const late = await follow({ "x-api-key": fresh.key }, fresh);
  expect([(await late.next())?.event, await nextProgress(late)]).toEqual(["revision", [told]]);

  letGo();
  for (const each of [stream, late]) {
    let tiles = await nextProgress(each);
    // Starting a thread may take long enough to be reported.
    if (tiles.length > 0) {
      expect(tiles).toEqual([{ ...told, stage: "read" }]);
      tiles = await nextProgress(each);
    }
    expect(tiles).toEqual([]);
  }
  expect((await fresh.call("GET", `/api/board/tiles/${tileId}?wait=10`)).json.tile.status).toBe("ready");

  // A stream of another board got its own changes only.
  await fresh.call("POST", `/api/board/${other}/zones`, { body: { name: "Zone" } });
  expect([(await elsewhere.next())?.event, (await elsewhere.next())?.event]).toEqual(["revision", "revision"]);
});

test("job progress has the number of the attempt, and excludes tiles that wait for a retry", async () => {
  const { fresh, add } = await startSlow();
  const tileId = await add("/lost");
  const read = async () => (await fresh.call("GET", `/api/board/tiles/${tileId}`)).json.tile;
  await expect.poll(async () => (await read()).error?.attempts, { timeout: 300_000 }).toBe(1);
  const stream = await follow({ "x-api-key": fresh.key }, fresh);
  expect((await stream.next())?.event).toBe("revision");
  expect((await read()).status).toBe("processing");
  const { deps } = fresh.appContext;
  await deps.store.progress.report(
    [{ businessId: fresh.businessId, boardId: fresh.boardId, tileId, stage: "read", attempt: 2, maxAttempts: 3, startedAt: Date.now() }],
    Date.now(),
  );
  expect(await nextProgress(stream)).toMatchObject([{ tileId, stage: "read", attempt: 2, maxAttempts: 3 }]);
});
