import { afterAll, beforeAll, expect, test } from "vitest";
import type { Operation } from "../../support/operations.ts";
import { dumpBusiness, fillBoard } from "../../support/test-data.ts";
import { type EveryOperation, startEveryOperation } from "./support/every-operation.ts";

/** Calls that change many things at once. */
const ALWAYS_STRICT = [
  "POST /api/board/{boardId}/tiles/bulk",
  "POST /api/board/{boardId}/tiles/retry",
  "POST /api/settings/boards/import",
  "POST /api/settings/webhook/deliveries/redeliver",
  "POST /api/webhooks/{webhookId}/deliveries/redeliver",
  "POST /api/settings/webhooks/{webhookId}/deliveries/redeliver",
];
const STRICT = { prefer: "handling=strict" };
let every: EveryOperation;
beforeAll(async () => {
  every = await startEveryOperation();
});
afterAll(() => every.testData.service.stop());

const validBody = (operation: Operation): object => (every.fixtureOf(operation).body?.(every.ids) ?? {}) as object;

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  every.testData.service.call("POST", path, { body, headers });
const tiles = (): string => `/api/board/${every.ids.boardId}/tiles`;

test("every operation refuses unknown fields of query and body with Prefer: handling=strict, and changes nothing", async () => {
  const { service } = every.testData;
  const before = await dumpBusiness(service, service.businessId);
  for (const operation of every.operations) {
    const inQuery = await every.call(operation, { query: "zz_query=1", headers: STRICT });
    expect([inQuery.status, inQuery.json], operation.name).toEqual([400, { error: "zz_query is not a known field." }]);
    expect(inQuery.headers.get("x-error-code"), operation.name).toBe("field_unknown");
    expect(inQuery.headers.get("preference-applied"), operation.name).toBe("handling=strict");
    if (operation.body === undefined) continue;
    const inBody = await every.call(operation, { body: { ...validBody(operation), zz_body: 1 }, headers: STRICT });
    expect([inBody.status, inBody.json], operation.name).toEqual([400, { error: "zz_body is not a known field." }]);
  }
  expect(await dumpBusiness(service, service.businessId)).toBe(before);
});

test("every operation that changes many things at once is strict by itself", async () => {
  const strict = every.operations.filter(({ name }) => ALWAYS_STRICT.includes(name));
  expect(strict).toHaveLength(ALWAYS_STRICT.length);
  for (const operation of strict) {
    const { status, json, headers } = await every.call(operation, { query: "zz_query=1" });
    expect([status, json], operation.name).toEqual([400, { error: "zz_query is not a known field." }]);
    expect(headers.get("preference-applied")).toBeNull();
  }
});

test("every operation names unknown fields otherwise, in the order of their appearance", async () => {
  const { service } = every.testData;
  const others = every.operations.filter(({ name }) => !ALWAYS_STRICT.includes(name));
  // Deleting comes last, and logging out after everything else.
  const rank = ({ name }: Operation): number => (name === "DELETE /api/settings/session" ? 2 : name.startsWith("DELETE") ? 1 : 0);
  for (const operation of others.toSorted((a, b) => rank(a) - rank(b))) {
    const { id } = (await post("/api/board/boards", { name: "Fresh" })).json.board;
    const ids = rank(operation) === 1 && operation.path.startsWith("/api/board/") ? await fillBoard(service, id) : every.ids;
    const body = operation.body === undefined ? {} : { body: { ...validBody(operation), zz_body: 1 } };
    const { headers, status, text } = await every.call(operation, { query: "zz_query=1", ids, ...body });
    const expected = operation.body === undefined ? "zz_query" : "zz_query, zz_body";
    expect(headers.get("x-ignored-fields"), `${operation.name}: ${status} ${text.slice(0, 200)}`).toBe(expected);
  }
});

test("a misspelt dry_run deletes nothing", async () => {
  const { id } = (await post(tiles(), { content: "Kept." })).json.tile;
  const body = { filter: { tile_ids: [id] }, action: { delete: true }, dryrun: true };
  const { status, json } = await post(`${tiles()}/bulk`, body);
  expect([status, json]).toEqual([400, { error: "dryrun is not a known field." }]);
  expect((await every.testData.service.call("GET", `/api/board/tiles/${id}`)).status).toBe(200);
});

test("an import whose form has an unknown field creates nothing, wherever the field is", async () => {
  const owner = every.owner;
  const { status: loggedIn } = await owner.call("POST", "/api/settings/session", {
    body: { email: "owner@example.com", password: "correct horse battery" },
  });
  expect(loggedIn).toBe(200);
  const { service } = every.testData;
  const exported = (await owner.call("GET", `/api/settings/boards/${every.ids.boardId}/export`)).text;
  const count = async (): Promise<number> => (await service.call("GET", "/api/board/boards")).json.boards.length;
  const before = await count();
  const file = `--x1\r\nContent-Disposition: form-data; name="file"; filename="board.jsonl"\r\n\r\n${exported}\r\n`;
  const field = '--x1\r\nContent-Disposition: form-data; name="dry_run"\r\n\r\ntrue\r\n';
  const headers = { "content-type": "multipart/form-data; boundary=x1" };
  for (const form of [field + file, file + field]) {
    const { status, json } = await owner.call("POST", "/api/settings/boards/import", { headers, body: `${form}--x1--\r\n` });
    expect([status, json]).toEqual([400, { error: "dry_run is not a known field." }]);
  }
  expect(await count()).toBe(before);
  expect((await owner.call("POST", "/api/settings/boards/import", { headers, body: `${file}--x1--\r\n` })).status).toBe(200);
});

test("known fields without effect are named, and refused by strict calls", async () => {
  const both = { content: "Text.", url: "https://example.com/" };
  const created = await post(tiles(), both);
  expect([created.status, created.headers.get("x-ignored-fields")]).toEqual([200, "url"]);
  const strict = await post(tiles(), both, STRICT);
  expect([strict.status, strict.headers.get("x-error-code")]).toEqual([400, "field_without_effect"]);

  const path = `/api/board/tiles/${created.json.tile.id}`;
  const { service } = every.testData;
  const changed = await service.call("PATCH", path, { body: { title: "New", refresh_minutes: 60 } });
  expect([changed.status, changed.headers.get("x-ignored-fields")]).toEqual([200, "refresh_minutes"]);
  expect(changed.json.tile).toMatchObject({ title: "New" });
  expect(changed.json.tile).not.toHaveProperty("refreshMinutes");
  for (const refresh_minutes of [60, null]) {
    expect((await service.call("PATCH", path, { body: { refresh_minutes }, headers: STRICT })).status).toBe(400);
    const alone = await service.call("PATCH", path, { body: { refresh_minutes } });
    expect([alone.status, alone.headers.get("x-ignored-fields")]).toEqual([200, "refresh_minutes"]);
    expect(alone.headers.get("etag")).toBe(changed.headers.get("etag"));
  }
});

test("known fields without effect are also order beside updated_since, skip_deleted without an external id or a link, and explain beside that of the body", async () => {
  const { service } = every.testData;
  const board = `/api/board/${every.ids.boardId}`;
  const form = (...names: string[]): string =>
    ["external_id", "skip_deleted"]
      .filter((name) => names.includes(name))
      .map((name) => `--x1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\ntrue\r\n`)
      .join("") + '--x1\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nText.\r\n--x1--\r\n';
  const multipart = { "content-type": "multipart/form-data; boundary=x1" };
  const text = { content: "Text.", skip_deleted: true };
  const calls: readonly [ignored: string | null, method: string, path: string, body?: unknown, headers?: Record<string, string>][] = [
    ["order", "GET", `${board}/tiles?updated_since=2020-01-01&order=desc`],
    [null, "GET", `${board}/tiles?updated_since=2020-01-01`],
    ["skip_deleted", "POST", `${board}/tiles`, text],
    [null, "POST", `${board}/tiles`, { ...text, skip_deleted: false }],
    [null, "POST", `${board}/tiles`, { ...text, external_id: "skip" }],
    [null, "POST", `${board}/tiles`, { url: "https://example.com/", skip_deleted: true }],
    ["skip_deleted", "POST", "/api/inbound/tiles", { ...text, board_id: every.ids.boardId }],
    ["skip_deleted", "POST", `${board}/files`, form("skip_deleted"), multipart],
    [null, "POST", `${board}/files`, form("skip_deleted", "external_id"), multipart],
    ["explain", "POST", `${board}/ask?explain=true`, { question: "When does the harbour open?", explain: false }],
    [null, "POST", `${board}/ask?explain=true`, { question: "When does the harbour open?" }],
  ];
  for (const [expected, method, path, body, headers = {}] of calls) {
    const send = (more: Record<string, string>) => service.call(method, path, { body, headers: { ...headers, ...more } });
    const { status, headers: received } = await send({});
    expect([status, received.get("x-ignored-fields")], `${path} ${JSON.stringify(body)}`).toEqual([200, expected]);
    const strict = await send(STRICT);
    expect([strict.status, strict.headers.get("x-error-code")], `strict ${path}`).toEqual(
      expected === null ? [200, null] : [400, "field_without_effect"],
    );
  }
});

test("known fields without effect include an alias beside the field itself, whose value counts", async () => {
  const { headers, json } = await post(tiles(), { content: "Text.", external_id: "a", externalId: "b" });
  expect([headers.get("x-ignored-fields"), json.tile.externalId]).toEqual(["externalId", "a"]);
});
