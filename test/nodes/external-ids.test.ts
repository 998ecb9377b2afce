import { expect, test } from "vitest";
import { call } from "../e2e/support/process.ts";
import { openNodes } from "./support/nodes.ts";

const CALLS = 24;

test("an external id belongs to one tile, whichever nodes the calls reach", { timeout: 300_000 }, async () => {
  const nodes = await openNodes();
  const { key, boardId } = await nodes.newAccess();
  const servers = await Promise.all([nodes.start("api"), nodes.start("api")]);
  const send = (n: number, method: string, path: string, body?: object) => call(servers[n % 2]!.url, key, method, path, body);
  const create = (n: number, body: object) => send(n, "POST", `/api/board/${boardId}/tiles`, body);
  const listHolders = async (id: string) => (await send(0, "GET", `/api/board/${boardId}/tiles?external_id=${id}`)).json.tiles;
  const numbers = Array.from({ length: CALLS }, (_, n) => n);

  const creations = await Promise.all(numbers.map((n) => create(n, { content: `Text ${n}`, external_id: "made" })));
  expect(creations.map(({ status }) => status)).toEqual(numbers.map(() => 200));
  expect(creations.filter(({ json }) => json.created)).toHaveLength(1);
  expect(new Set(creations.map(({ json }) => json.tile.id)).size).toBe(1);
  expect(await listHolders("made")).toHaveLength(1);

  const ids: string[] = [];
  for (const n of numbers) ids.push((await create(n, { content: `Text ${n}` })).json.tile.id);
  const patches = await Promise.all(ids.map((id, n) => send(n, "PATCH", `/api/board/tiles/${id}`, { external_id: "given" })));
  expect(patches.map(({ status }) => status).toSorted()).toEqual([200, ...numbers.slice(1).map(() => 409)]);
  expect(await listHolders("given")).toMatchObject([{ id: patches.find(({ status }) => status === 200)?.json.tile.id }]);

  const [{ id }] = await listHolders("made");
  expect((await send(0, "DELETE", `/api/board/tiles/${id}`)).status).toBe(200);
  const skipped = await Promise.all(numbers.map((n) => create(n, { content: "Again", external_id: "made", skip_deleted: true })));
  expect(skipped.map(({ json }) => json)).toEqual(numbers.map(() => ({ tile: null, created: false, deleted: true })));

  // A restoration and creations at once: one of them gets the id, and nothing fails.
  const [restored, ...made] = await Promise.all([
    send(1, "POST", `/api/board/tiles/${id}/restore`),
    ...numbers.slice(0, 6).map((n) => create(n, { content: "New", external_id: "made" })),
  ]);
  expect([restored, ...made].map(({ status }) => status)).toEqual([200, ...made.map(() => 200)]);
  expect(await listHolders("made")).toHaveLength(1);
});
