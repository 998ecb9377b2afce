import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { call } from "../e2e/support/process.ts";
import { pause, until } from "../e2e/support/servers.ts";
import { type Access, openNodes } from "./support/nodes.ts";

const WRITERS = 4;
const TILES_PER_WRITER = 40;

type Change = { readonly id: string; readonly event: string; readonly payload: { readonly title: string } };

/** Reads the feed in a loop from these servers in turn, as a program does that is restarted now and then. */
function startReader(urls: () => readonly string[], key: string) {
  const changes: Change[] = [];
  let isOver = false;
  const reading = (async () => {
    for (let n = 0, cursor = ""; ; n++) {
      const url = urls()[n % urls().length] ?? "";
      const query = `?limit=7${cursor === "" ? "" : `&cursor=${cursor}`}${n % 3 === 0 ? "&wait=1" : ""}`;
      const isLast = isOver;
      const { status, json } = await call(url, key, "GET", `/api/changes${query}`).catch(() => ({ status: 0, json: null }));
      if (status !== 200) {
        await pause(50);
        continue;
      }
      changes.push(...json.changes);
      cursor = json.nextCursor;
      if (isLast && !json.hasMore && json.changes.length === 0) return;
    }
  })();
  return {
    changes,
    async stop() {
      isOver = true;
      await reading;
    },
  };
}

/** Begins a transaction that records an event of a tile, and commits it when told to. */
async function beginLateEvent(databaseUrl: string, { businessId, boardId }: Access, title: string) {
  const client = new Client(databaseUrl);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("BEGIN");
  const payload = JSON.stringify({ tileId: `til_${title}`, title, type: "TEXT" });
  const sql = "INSERT INTO event (business_id, board_id, event, payload, at) VALUES ($1, $2, 'tile.created', $3, $4)";
  await client.query(sql, [businessId, boardId, payload, Date.now()]);
  return () => client.query("COMMIT");
}

const titles = (changes: readonly Change[]): string[] => changes.map(({ payload }) => payload.title).toSorted();

test("a reader of two nodes gets each change once, also of transactions that are committed late", { timeout: 300_000 }, async () => {
  const nodes = await openNodes();
  const access = await nodes.newAccess();
  const servers = await Promise.all([nodes.start("api"), nodes.start("all")]);
  const reader = startReader(() => servers.map(({ url }) => url), (await nodes.newAccess()).key);
  const commits: (() => Promise<unknown>)[] = [];
  for (const n of [1, 2, 3]) commits.push(await beginLateEvent(nodes.environment.DATABASE_URL ?? "", access, `late ${n}`));
  const expected = ["late 1", "late 2", "late 3"];
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; n < TILES_PER_WRITER; n++) {
        const title = `${writer}-${n}`;
        const body = { title, content: "A note" };
        const { status } = await call(servers[writer % 2]!.url, access.key, "POST", `/api/board/${access.boardId}/tiles`, body);
        expect(status).toBe(200);
        expected.push(title);
        // One is committed while others write, the last one after all of them.
        if (writer === 0 && n === 10) await commits.shift()?.();
        if (writer === 0 && n === 30) await commits.shift()?.();
      }
    }),
  );
  await until("all early changes", () => reader.changes.length >= expected.length - 1);
  await commits.shift()?.();
  await until("the late change", () => reader.changes.length >= expected.length);
  await reader.stop();
  expect(titles(reader.changes)).toEqual(expected.toSorted());
  expect(new Set(reader.changes.map(({ id }) => id)).size).toBe(expected.length);
  expect(reader.changes.at(-1)?.payload.title).toBe("late 3");
  // Each writer wrote one tile after the other.
  for (let writer = 0; writer < WRITERS; writer++) {
    const own = reader.changes.map(({ payload }) => payload.title).filter((title) => title.startsWith(`${writer}-`));
    expect(own).toEqual(Array.from({ length: TILES_PER_WRITER }, (_, n) => `${writer}-${n}`));
  }
});

test("no change is missed or repeated when a node is killed and another one starts", { timeout: 300_000 }, async () => {
  const nodes = await openNodes();
  const access = await nodes.newAccess();
  const first = await nodes.start("all");
  let url = first.url;
  const reader = startReader(() => [url], (await nodes.newAccess()).key);
  const expected: string[] = [];
  let isOver = false;
  const writing = (async () => {
    for (let n = 0; !isOver; n++) {
      const body = { title: `${n}`, content: "A note", external_id: `${n}` };
      const send = () => call(url, access.key, "POST", `/api/board/${access.boardId}/tiles`, body).catch(() => null);
      // A creation whose response was lost is repeated, which makes no second tile.
      await until("an answer", async () => (await send())?.status === 200);
      expected.push(`${n}`);
    }
  })();
  await until("some changes", () => reader.changes.length >= 30);
  await first.kill("SIGKILL");
  url = (await nodes.start("all")).url;
  const seen = reader.changes.length;
  await until("more changes", () => reader.changes.length >= seen + 30);
  isOver = true;
  await writing;
  await until("the last change", () => reader.changes.length >= expected.length);
  await reader.stop();
  expect(titles(reader.changes)).toEqual(expected.toSorted());
  expect(new Set(reader.changes.map(({ id }) => id)).size).toBe(expected.length);
});
