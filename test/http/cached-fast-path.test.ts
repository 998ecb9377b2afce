import { withMethods } from "../support/with-methods.ts";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "#domain/core/access.ts";
import type { HttpDeps } from "#http/route.ts";
import { type CachedFastPath, createCachedFastPath } from "#http/fast-path/cached-fast-path.ts";
import { createListener } from "#http/server/listener.ts";
import type { CompletedRequest } from "#http/server/request-log.ts";
import { createListingCache } from "#http/fast-path/listing-cache.ts";
import { createResponseMemory } from "#http/response/response-memory.ts";
import { authorizeBoard } from "#service/access.ts";
import { createRateLimiter } from "#service/rate-limit.ts";
import { exchange } from "../support/clients/raw.ts";
import { type TestService, startTestService } from "../support/service.ts";

const NORMAL_PATH = "the long way";
const NEVER_ANSWERED = "/held";
const ROUTE = "/api/board/:boardId/zones";

let service: TestService;
let url: string;
let server: Server;
let deps: HttpDeps;
let normalPathUrls: string[];
let loggedRequests: CompletedRequest[];
let used: Actor[];

const zonesPath = (): string => `/api/board/${service.boardId}/zones`;

/** A listener over the real store whose normal path records the request, except for one request that it never answers. */
function listen(fastPath: CachedFastPath | null): Promise<void> {
  normalPathUrls = [];
  server = createListener(
    ({ url: path = "" }, response) => {
      normalPathUrls.push(path);
      if (path !== NEVER_ANSWERED) response.end(NORMAL_PATH);
    },
    fastPath,
    100,
  );
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      resolve();
    });
  });
}

const createFastPath = (limit: number, variesByOrigin = false): CachedFastPath | null => {
  const { deps: base } = service.appContext;
  deps = {
    ...base,
    listings: createListingCache(),
    responses: createResponseMemory(),
    limiter: createRateLimiter(base.clock),
    limits: { requests: limit, asks: 0, generateWaitMs: 0, fileBytes: 0 },
  } as unknown as HttpDeps;
  return createCachedFastPath({
    deps,
    createRequestId: () => "req_1",
    logCompleted: (call) => loggedRequests.push(call),
    onUse: (actor) => used.push(actor),
    variesByOrigin,
  });
};

/** Stores `text` as the cached listing of the service's board, as its route does. */
async function cacheListing(text: string, path = zonesPath()): Promise<void> {
  const { store } = service.appContext.deps;
  const operator: Actor = { kind: "operator", businessId: service.businessId };
  const reader = await authorizeBoard(service.appContext.deps, operator, service.boardId, "read");
  const name = { key: path, url: path };
  deps.listings.set(
    name,
    { route: ROUTE, boardId: service.boardId, dependsOn: "zones" },
    await store.boards.revisions(reader.target),
    text,
  );
}

const get = async (headers: Record<string, string>, path = zonesPath(), method = "GET") => {
  const answer = await fetch(url + path, { method, headers });
  return { text: await answer.text(), headers: answer.headers };
};

beforeAll(async () => {
  service = await startTestService({ ROLE: "api" });
});
afterAll(() => service.stop());

beforeEach(async () => {
  loggedRequests = [];
  used = [];
  await listen(createFastPath(0));
  await cacheListing('{"zones":[]}');
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

describe("the cached fast path", () => {
  test("serves a cached listing to an authorized key, and logs it with the key", async () => {
    const { key, id } = await service.newKey({ boardId: service.boardId, permission: "read" });
    expect((await get({ "x-api-key": key })).text).toBe('{"zones":[]}');
    expect((await get({ authorization: `Bearer ${key}` })).text).toBe('{"zones":[]}');
    await expect.poll(() => loggedRequests.length).toBe(2);
    expect(loggedRequests[0]).toMatchObject({ requestId: "req_1", method: "GET", route: ROUTE, status: 200, actor: { keyId: id } });
    expect(loggedRequests[0]?.milliseconds).toBeGreaterThan(0);
    expect(used).toHaveLength(2);
  });

  test("serves long listings byte for byte", async () => {
    const text = JSON.stringify({ zones: ["ü🏮".repeat(5_000)] });
    await cacheListing(text);
    const headers = { "x-api-key": service.key, "accept-encoding": "identity" };
    for (let n = 0; n < 3; n++) expect((await get(headers)).text).toBe(text);
    expect(loggedRequests.length).toBeGreaterThanOrEqual(2);
    // Compression is slow, so compressed responses use the normal path; short listings are never compressed.
    expect((await get({ ...headers, "accept-encoding": "gzip" })).text).toBe(NORMAL_PATH);
    await cacheListing('{"zones":[]}');
    expect((await get({ ...headers, "accept-encoding": "gzip" })).text).toBe('{"zones":[]}');
  });

  test.each<[string, () => Promise<Record<string, string>>]>([
    ["no key", async () => ({})],
    ["an unknown key", async () => ({ "x-api-key": `tsr_${"a".repeat(38)}` })],
    ["a malformed key", async () => ({ "x-api-key": "x" })],
    ["an expired key", async () => ({ "x-api-key": (await service.newKey({ expiresAt: 1 })).key })],
    ["a key with the inbound permission", async () => ({ "x-api-key": (await service.newKey({ permission: "inbound" })).key })],
    ["a key of another board", async () => ({ "x-api-key": (await service.newKey({ boardId: (await anotherBoard()).id })).key })],
    ["a key of another business", async () => ({ "x-api-key": (await createKeyOfAnotherBusiness()).key })],
    ["a page of another origin", async () => ({ "x-api-key": service.key, origin: "https://example.com" })],
    ["a compressed body", async () => ({ "x-api-key": service.key, "content-encoding": "gzip" })],
    ["Cache-Control: no-cache", async () => ({ "x-api-key": service.key, "cache-control": "no-cache" })],
    ["If-None-Match", async () => ({ "x-api-key": service.key, "if-none-match": "*" })],
    ["only a cookie", async () => ({ cookie: "tessera_session=a" })],
  ])("falls back to the normal path: %s", async (_name, getHeaders) => {
    expect((await get(await getHeaders())).text).toBe(NORMAL_PATH);
    expect(loggedRequests).toEqual([]);
    expect(used).toEqual([]);
  });

  test("falls back for another URL, another method, and a request with a body", async () => {
    const headers = { "x-api-key": service.key };
    expect((await get(headers, `${zonesPath()}?limit=5`)).text).toBe(NORMAL_PATH);
    expect((await get(headers, zonesPath(), "DELETE")).text).toBe(NORMAL_PATH);
    const head = `GET ${zonesPath()} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${service.key}\r\nConnection: close\r\n`;
    expect((await exchange(url, `${head}Content-Length: 2\r\n\r\n{}`)).body).toContain(NORMAL_PATH);
    expect((await exchange(url, `${head}\r\n`)).body).toContain('{"zones":[]}');
  });

  test("falls back as soon as the board changes or its key is revoked", async () => {
    const { key, id } = await service.newKey();
    const headers = { "x-api-key": key };
    expect((await get(headers)).text).not.toBe(NORMAL_PATH);
    await service.call("POST", zonesPath(), { body: { name: "New" } });
    expect((await get(headers)).text).toBe(NORMAL_PATH);
    await cacheListing('{"zones":[1]}');
    expect((await get(headers)).text).toBe('{"zones":[1]}');
    await service.appContext.deps.store.apiKeys.revoke(service.businessId, id, "operator", Date.now());
    expect((await get(headers)).text).toBe(NORMAL_PATH);
  });

  test("falls back beyond the rate limit, and counts each cached response", async () => {
    server.close();
    await listen(createFastPath(2));
    await cacheListing("{}");
    const headers = { "x-api-key": service.key };
    const left = async () => (await get(headers)).headers.get("ratelimit")?.replace(/t=\d+/, "t=0");
    expect(await left()).toBe('"default";r=1;t=0');
    expect(await left()).toBe('"default";r=0;t=0');
    expect((await get(headers)).text).toBe(NORMAL_PATH);
  });

  test("falls back if too much is unsent, and leaves the request to be counted by the normal path", async () => {
    server.close();
    const fastPath = createFastPath(2);
    let counted = 0;
    const { limiter } = deps;
    Object.assign(deps, {
      limiter: (...args: Parameters<typeof limiter>) => (counted++, limiter(...args)),
      responses: withMethods(deps.responses, {
        hold() {
          throw new Error("Too many responses are waiting to be read.");
        },
      }),
    });
    await listen(fastPath);
    await cacheListing("{}");
    expect((await get({ "x-api-key": service.key })).text).toBe(NORMAL_PATH);
    expect(counted).toBe(0);
  });

  test("falls back once the server closes, also on a busy connection", async () => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).on("error", () => undefined);
    const ask = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${service.key}\r\n\r\n`;
    socket.write(ask(NEVER_ANSWERED));
    await expect.poll(() => normalPathUrls).toEqual([NEVER_ANSWERED]);
    server.close();
    socket.write(ask(zonesPath()));
    await expect.poll(() => normalPathUrls).toEqual([NEVER_ANSWERED, zonesPath()]);
    expect(loggedRequests).toEqual([]);
    socket.destroy();
  });

  test("falls back when the storage fails, so that the normal path reports the error", async () => {
    const { store } = deps;
    for (const failing of ["refreshSnapshot", "boards"] as const) {
      const fail = (): never => {
        throw new Error("The disk is gone.");
      };
      const broken = { ...store, [failing]: failing === "boards" ? withMethods(store.boards, { revisions: fail }) : fail };
      server.close();
      await listen(
        createCachedFastPath({
          deps: { ...deps, store: broken },
          createRequestId: () => "req_1",
          logCompleted: (call) => loggedRequests.push(call),
          onUse: (actor) => used.push(actor),
          variesByOrigin: false,
        }),
      );
      expect((await get({ "x-api-key": service.key })).text, failing).toBe(NORMAL_PATH);
    }
    expect([loggedRequests, used]).toEqual([[], []]);
  });

  test("is off if nodes count rate limits together", () => {
    const { store } = service.appContext.deps;
    const shared = {
      ...deps,
      store: { ...store, rateLimits: { count: async () => ({ start: 0, used: 1, now: 0 }) } },
    } as unknown as HttpDeps;
    expect(
      createCachedFastPath({ deps: shared, createRequestId: String, logCompleted: () => {}, onUse: () => {}, variesByOrigin: false }),
    ).toBeNull();
  });
});

async function anotherBoard(): Promise<{ id: string }> {
  return (await service.call("POST", "/api/board/boards", { body: { name: "Another" } })).json.board;
}

async function createKeyOfAnotherBusiness(): Promise<{ key: string }> {
  const { businessId } = await service.newBusiness("Strangers");
  return service.newKey({ businessId });
}
