import { EventEmitter } from "node:events";
import type { FastifyReply } from "fastify";
import { expect, test } from "vitest";
import type { Actor } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import type { AppError } from "#domain/core/errors/error.ts";
import type { Store } from "#domain/store.ts";
import { createAccessWatch } from "#http/auth/access-watch.ts";
import { createLiveStreams } from "#http/streams/live.ts";

const actor = { kind: "operator", businessId: "biz_1" } as const satisfies Actor;
const board = { id: "brd_1" } as Board;
const LIMITS = { maxPerCaller: 2, maxPerBusiness: 3, shared: 4, reserved: 2 };

function start(limits?: typeof LIMITS) {
  const store = {
    boards: { revisions: async () => ({ zones: 1, content: 1, existing: 1 }) },
    progress: { running: async () => [] },
    changes: { watch: () => () => {} },
  } as unknown as Store;
  const clock = { now: () => 0 };
  return createLiveStreams(
    store,
    clock,
    createAccessWatch(store, clock, () => {}),
    limits,
  );
}

/** A reply whose client reads everything. */
function openReply() {
  const raw = Object.assign(new EventEmitter(), { destroyed: false, writeHead() {}, flushHeaders() {}, write: () => true, end() {} });
  return { reply: { raw, hijack() {}, getHeaders: () => ({}) } as unknown as FastifyReply, close: () => raw.emit("close") };
}

test("a client that disconnects before its stream opens leaves no stream behind", async () => {
  const streams = start();
  let hijacked = 0;
  const reply = { raw: { destroyed: true }, hijack: () => hijacked++ } as unknown as FastifyReply;
  for (let n = 0; n < 50; n++) await streams.follow(board, actor, reply);
  expect(hijacked).toBe(50);
});

test("streams are limited by caller, by business and in all, and a business without any finds a place", async () => {
  const streams = start(LIMITS);
  const open: (() => void)[] = [];
  const follow = async (businessId: string, keyId: string): Promise<string> => {
    const { reply, close } = openReply();
    const key = { kind: "key", businessId, keyId, expiresAt: null } as unknown as Actor;
    const ended = streams.follow(board, key, reply).then(
      () => "closed",
      (error: AppError) => `${error.kind}: ${error.message}`,
    );
    const result = await Promise.race([ended, new Promise<string>((resolve) => setTimeout(resolve, 0, "open"))]);
    if (result === "open") open.push(close);
    return result;
  };
  expect([await follow("biz_1", "key_1"), await follow("biz_1", "key_1")]).toEqual(["open", "open"]);
  expect(await follow("biz_1", "key_1")).toBe(
    "rate_limited: Too many streams of this API key or member are open. The maximum is 2. Try again in 5 s.",
  );
  expect(await follow("biz_1", "key_2")).toBe("open");
  expect(await follow("biz_1", "key_3")).toBe(
    "rate_limited: Too many streams of this business are open. The maximum is 3. Try again in 5 s.",
  );
  expect([await follow("biz_2", "key_4"), await follow("biz_3", "key_5")]).toEqual(["open", "open"]);
  expect(await follow("biz_2", "key_4")).toBe("unavailable: Too many streams are open on this server. Try again in 5 s.");
  expect(await follow("biz_4", "key_6")).toBe("open");
  expect(await follow("biz_5", "key_7")).toMatch(/^unavailable: /);
  for (const close of open.splice(0)) close();
  await new Promise(setImmediate);
  expect([await follow("biz_1", "key_1"), await follow("biz_5", "key_7")]).toEqual(["open", "open"]);
  for (const close of open) close();
});
