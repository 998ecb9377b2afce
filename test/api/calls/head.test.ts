import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../../support/clients/raw.ts";
import { fillPath } from "../../support/operations.ts";
import { type EveryOperation, startEveryOperation } from "./support/every-operation.ts";

/** Other paths that answer GET. */
const PUBLIC = ["/", "/health/live", "/health/ready", "/openapi.json", "/docs/static/index.html", "/docs/json", "/nowhere"];
/** What differs from call to call, or describes the body of this message alone. */
const VARYING = ["date", "x-request-id", "ratelimit", "transfer-encoding"];

let every: EveryOperation;
beforeAll(async () => {
  every = await startEveryOperation();
});
afterAll(() => every.testData.service.stop());

async function expectSameHeaders(path: string, headers: Record<string, string>): Promise<Record<string, unknown>> {
  const { url } = every.testData.service;
  const [get, head] = [await send(url, "GET", path, headers), await send(url, "HEAD", path, headers)];
  const comparable = ({ headers: all }: typeof get) => Object.fromEntries(Object.entries(all).filter(([name]) => !VARYING.includes(name)));
  expect([head.status, head.text], path).toEqual([get.status, ""]);
  expect(comparable(head), path).toEqual(comparable(get));
  return head.headers;
}

test("HEAD is answered like every GET of the document, without a body", async () => {
  const { service } = every.testData;
  const gets = every.operations.filter(({ method }) => method === "GET");
  expect(gets.length).toBeGreaterThan(20);
  for (const operation of gets) {
    const path = fillPath(operation.path, every.ids) + (every.fixtureOf(operation).query ?? "");
    const isOwned = path.startsWith("/api/settings/");
    const keyed = isOwned ? { cookie: every.owner.cookie } : { "x-api-key": service.key };
    const sent = await expectSameHeaders(path, { ...keyed, "accept-encoding": "identity" });
    await expectSameHeaders(path, { ...keyed, "accept-encoding": "br" });
    await expectSameHeaders(path, {});
    if (!path.endsWith("/export")) expect(Number(sent["content-length"]), path).toBeGreaterThan(0);
  }
});

test("HEAD is answered like GET by the page, the probes and the reference", async () => {
  for (const path of PUBLIC) await expectSameHeaders(path, {});
});

test("HEAD of a long listing is compressed like GET, and not read to its end", async () => {
  const { service, boardA2 } = every.testData;
  for (let at = 0; at < 3; at++) {
    const tiles = Array.from({ length: 500 }, (_, n) => ({
      board_id: boardA2.boardId,
      content: `Note ${at} ${n}. ${"Long. ".repeat(100)}`,
    }));
    await service.call("POST", "/api/inbound/tiles/batch", { body: { tiles } });
  }
  const keyed = { "x-api-key": service.key };
  for (const encoding of ["identity", "br"]) {
    const path = `/api/board/${boardA2.boardId}/tiles`;
    const headers = await expectSameHeaders(path, { ...keyed, "accept-encoding": encoding });
    expect([headers["content-encoding"], headers["content-length"]]).toEqual([encoding === "br" ? "br" : undefined, undefined]);
    await expectSameHeaders(`${path}?limit=50`, { ...keyed, "accept-encoding": encoding });
  }
});

test("HEAD of an event stream ends at once, and nothing is asked", async () => {
  const { service } = every.testData;
  const accept = { "x-api-key": service.key, accept: "text/event-stream" };
  for (const path of [`/api/board/${every.ids.boardId}/events`, `/api/board/${every.ids.boardId}/ask?q=harbour`]) {
    const { status, headers, text } = await send(service.url, "HEAD", path, accept);
    expect([status, headers["content-type"], text], path).toEqual([200, "text/event-stream; charset=utf-8", ""]);
  }
});
