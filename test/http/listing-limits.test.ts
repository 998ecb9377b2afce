import { EventEmitter } from "node:events";
import type { FastifyReply, FastifyRequest } from "fastify";
import { describe, expect, it } from "vitest";
import type { Actor, Authorized } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import { readGenerationListing } from "#http/listing/generations.ts";
import { sendTileListing } from "#http/listing/tiles.ts";
import { sendZoneListing } from "#http/listing/zones.ts";
import { IgnoredFields } from "#http/request/ignored-fields.ts";
import { createDisconnectSignal } from "#http/response/disconnect.ts";
import type { HttpDeps } from "#http/route.ts";
import { listBoards, pageBoards } from "#service/content/boards.ts";
import { pageTiles } from "#service/content/tiles.ts";
import { createWorkQueue, toOwner } from "#service/work-queue.ts";

const ACTOR = { kind: "operator", businessId: "biz_a" } as const satisfies Actor;
const SCOPE = { actor: ACTOR, target: { id: "brd_a", businessId: ACTOR.businessId } } as unknown as Authorized<Board, "read">;
const PAGE = { order: "asc", withText: false } as const;
const NO_REVISIONS = { zones: 1, content: 1, existing: 1 };

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
  const store = {
    boards: { business: async () => ({ id: ACTOR.businessId }), listPage: note("boards", []), revisions: async () => NO_REVISIONS },
    zones: { list: note("zones", []) },
    tiles: { list: note("tiles", { tiles: [], next: null }), count: note("count", 0), deletedSince: async () => [] },
    generations: { list: note("generations", []) },
  };
  const deps = {
    workQueue,
    store,
    listings: { get: () => undefined, set: (..._args: unknown[]) => undefined },
    responses: { admit: () => undefined, hold: () => undefined },
    clock: { now: () => 0 },
  } as unknown as HttpDeps;
  const raw = Object.assign(new EventEmitter(), { writableFinished: false, destroyed: false });
  const reply = { raw, header: () => reply } as unknown as FastifyReply;
  const request = { headers: {}, routeOptions: {}, actor: ACTOR } as unknown as FastifyRequest;
  const call = (query: object) => ({ deps, authorized: SCOPE, query, ignored: new IgnoredFields(reply, false), request, reply }) as never;
  const release = async (): Promise<void> => {
    gate.resolve();
    await running;
  };
  return { deps, read, wait, release, call, signal: createDisconnectSignal(reply), disconnect: () => raw.emit("close") };
}

type SetUp = ReturnType<typeof setUp>;
const LISTINGS: readonly (readonly [name: string, list: (caller: SetUp) => Promise<unknown>])[] = [
  ["all boards", ({ deps, signal }) => listBoards(deps, ACTOR, signal)],
  ["a page of boards", ({ deps, signal }) => pageBoards(deps, ACTOR, null, 10, signal)],
  ["zones", ({ call }) => sendZoneListing(call({}))],
  ["tiles", ({ call }) => sendTileListing(call({}))],
  ["a page of tiles and their number", ({ call }) => sendTileListing(call({ limit: 10, count: true }))],
  ["a page of tiles over MCP", ({ deps, signal }) => pageTiles(deps, SCOPE, PAGE, null, 10, signal)],
  ["generations", ({ deps, signal }) => readGenerationListing(deps, ACTOR, {}, signal)],
];

describe.each(LISTINGS)("a listing of %s", (_name, list) => {
  it("is refused before anything is read when too much work of its caller is waiting", async () => {
    const caller = setUp();
    const waiting = caller.wait();
    await expect(list(caller)).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 1 });
    expect(caller.read).toEqual([]);
    await caller.release();
    expect(await waiting).toBe("turn");
    await list(caller);
    expect(caller.read).not.toEqual([]);
  });
  it("leaves the queue when its client disconnects", async () => {
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
