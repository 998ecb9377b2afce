import { EventEmitter } from "node:events";
import type { FastifyReply, FastifyRequest } from "fastify";
import { describe, expect, it, vi } from "vitest";
import type { Actor, Authorized } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import { readGenerationListing } from "#http/listing/generations.ts";
import { createSyncScope, writeSyncToken } from "#http/listing/sync-token.ts";
import { MAX_DELETED, sendTileListing } from "#http/listing/tiles.ts";
import { sendZoneListing } from "#http/listing/zones.ts";
import { IgnoredFields } from "#http/request/ignored-fields.ts";
import { createDisconnectSignal } from "#http/response/connection/disconnect.ts";
import type { RawJson } from "#http/response/raw-json.ts";
import type { StreamedBody } from "#http/response/streamed-body.ts";
import type { HttpDeps } from "#http/route.ts";
import { apiKeyRoutes } from "#http/routes/settings/keys.ts";
import { listBoards, pageBoards } from "#service/content/boards.ts";
import { pageTiles } from "#service/content/tiles.ts";
import { createWorkQueue, toOwner } from "#service/work-queue.ts";

const ACTOR = { kind: "operator", businessId: "biz_a" } as const satisfies Actor;
const SCOPE = { actor: ACTOR, target: { id: "brd_a", businessId: ACTOR.businessId } } as unknown as Authorized<Board, "read">;
const PAGE = { order: "asc", withText: false } as const;
const NO_REVISIONS = { zones: 1, content: 1, existing: 1 };
const LIST_KEYS = apiKeyRoutes({ name: 9, title: 9, content: 9, question: 9 }).find(({ operationId }) => operationId === "listApiKeys");
const SYNC_TOKEN = writeSyncToken(createSyncScope("epoch", SCOPE.target.id), NO_REVISIONS, 0);

/** A caller that may have two pieces of work, one of which runs until `release` is called. */
function setUp() {
  const workQueue = createWorkQueue({ slots: 1, maxPerCaller: 2 });
  const gate = Promise.withResolvers<void>();
  const running = workQueue.run(() => gate.promise, { owner: toOwner(ACTOR) });
  const wait = () => workQueue.run(async () => "turn", { owner: toOwner(ACTOR) });
  const read: string[] = [];
  const note =
    <T>(name: string, rows: T) =>
    async (): Promise<T> => (read.push(name), rows);
  const deleted: string[] = [];
  const held: number[] = [];
  const list = vi.fn(async (..._args: unknown[]) => (read.push("tiles"), { tiles: [], next: null as readonly number[] | null }));
  const store = {
    epoch: "epoch",
    boards: { business: async () => ({ id: ACTOR.businessId }), listPage: note("boards", []), revisions: async () => NO_REVISIONS },
    zones: { list: note("zones", []) },
    tiles: {
      list,
      count: note("count", 0),
      deletedSince: async (_scope: unknown, _revision: number, limit: number) => (read.push("deleted"), deleted.slice(0, limit)),
    },
    generations: { list: note("generations", []) },
    apiKeys: { list: note("keys", []) },
    usage: { totals: note("usage", new Map()) },
  };
  const deps = {
    workQueue,
    store,
    listings: { get: () => undefined, set: (...[, , , body]: unknown[]) => body },
    responses: { admit: () => undefined, hold: (...[, , bytes]: [unknown, unknown, number]) => held.push(bytes) },
    clock: { now: () => 0 },
  } as unknown as HttpDeps;
  const raw = Object.assign(new EventEmitter(), { writableFinished: false, destroyed: false });
  const reply = { raw, header: () => reply } as unknown as FastifyReply;
  const request = { headers: {}, routeOptions: {}, actor: ACTOR } as unknown as FastifyRequest;
  const call = (query: object) =>
    ({ deps, actor: ACTOR, authorized: SCOPE, query, ignored: new IgnoredFields(reply, false), request, reply }) as never;
  const release = async (): Promise<void> => {
    gate.resolve();
    await running;
  };
  return {
    deps,
    read,
    deleted,
    held,
    list,
    wait,
    release,
    call,
    signal: createDisconnectSignal(reply),
    disconnect: () => raw.emit("close"),
  };
}

type SetUp = ReturnType<typeof setUp>;
const LISTINGS: readonly (readonly [name: string, list: (caller: SetUp) => Promise<unknown>])[] = [
  ["all boards", ({ deps, signal }) => listBoards(deps, ACTOR, signal)],
  ["a page of boards", ({ deps, signal }) => pageBoards(deps, ACTOR, null, 10, signal)],
  ["zones", ({ call }) => sendZoneListing(call({}))],
  ["tiles", ({ call }) => sendTileListing(call({}))],
  ["a page of tiles and their number", ({ call }) => sendTileListing(call({ limit: 10, count: true }))],
  ["API keys", async ({ call }) => LIST_KEYS?.handle(call({}))],
  ["changes of tiles", ({ call }) => sendTileListing(call({ sync_token: SYNC_TOKEN }))],
  ["a page of tiles over MCP", ({ deps, signal }) => pageTiles(deps, SCOPE, PAGE, null, 10, signal)],
  ["generations", ({ deps, signal }) => readGenerationListing(deps, ACTOR, {}, signal)],
];

describe.each(LISTINGS)("listings of %s", (_name, list) => {
  it("a listing is refused before anything is read when too much work of its caller is waiting", async () => {
    const caller = setUp();
    const waiting = caller.wait();
    await expect(list(caller)).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 1 });
    expect(caller.read).toEqual([]);
    await caller.release();
    expect(await waiting).toBe("turn");
    await list(caller);
    expect(caller.read).not.toEqual([]);
  });
  it("a listing leaves the queue when its client disconnects", async () => {
    const caller = setUp();
    const listing = list(caller);
    listing.catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    await expect(caller.wait()).rejects.toMatchObject({ code: "rate_limited" });
    caller.disconnect();
    await expect(listing).rejects.toThrow("The client disconnected.");
    const next = caller.wait();
    await caller.release();
    expect(await next).toBe("turn");
    expect(caller.read).toEqual([]);
  });
});

const createIds = (count: number): string[] => Array.from({ length: count }, (_, n) => `til_${n}`);
const listChanges = async (caller: SetUp): Promise<unknown> => {
  await caller.release();
  return sendTileListing(caller.call({ sync_token: SYNC_TOKEN }));
};

it("changes of tiles list all deletions up to the limit", async () => {
  const caller = setUp();
  caller.deleted.push(...createIds(MAX_DELETED));
  const { body } = (await listChanges(caller)) as RawJson;
  expect(JSON.parse(String(body))).toMatchObject({ deleted: caller.deleted, complete: false });
  expect(caller.list.mock.calls.map(([, query]) => query)).toMatchObject([{ changedSince: { revision: 1 } }]);
});

it("changes of tiles become the whole listing after more deletions than that", async () => {
  const caller = setUp();
  caller.deleted.push(...createIds(MAX_DELETED + 5));
  const body = JSON.parse(String(await listChanges(caller)));
  expect(body).toMatchObject({ deleted: [], complete: true, syncToken: expect.any(String) });
  expect(caller.list.mock.calls).toHaveLength(1);
  expect(caller.list.mock.calls[0]?.[1]).not.toHaveProperty("changedSince");
});

it("changes of tiles count their deletions as long as they are sent", async () => {
  const caller = setUp();
  caller.deleted.push(...createIds(2));
  caller.list.mockImplementation(async () => ({ tiles: [], next: [1] }));
  const { firstBytes, heldBytes } = (await listChanges(caller)) as StreamedBody;
  expect(heldBytes).toBeGreaterThan(JSON.stringify(caller.deleted).length);
  expect(caller.held).toEqual([firstBytes + heldBytes]);
});
