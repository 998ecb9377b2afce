import { EventEmitter, once } from "node:events";
import type { IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { type BodyMemory, createBodyMemory } from "#http/request/body/body-memory.ts";
import { estimateSecondsUntilDone } from "#http/request/body/body-progress.ts";

const MIB = 1_048_576;
/** A quarter of 16 MiB, 64 KiB for each. */
const MAX_WAITING = 64;
let businesses = 0;
/** Each request is by another business, so that only the limit of the process applies, unless it is by `member`. */
const createRequest = (headers: Record<string, string>, member?: string): FastifyRequest => {
  const name = member ?? String(businesses++);
  return {
    headers,
    raw: { headers, socket: { bytesRead: 0 }, isPaused: () => false },
    actor: { kind: "member", memberId: `mbr_${name}`, businessId: `biz_${name}` },
  } as unknown as FastifyRequest;
};
const sized = (bytes: number, member?: string): FastifyRequest => createRequest({ "content-length": String(bytes) }, member);
const newReply = () => ({ raw: new EventEmitter() });
/** Reserves memory. `wait` is undefined if there was room. */
function reserve(memory: BodyMemory, request: FastifyRequest) {
  const { raw } = newReply();
  return { wait: memory.reserve(request, { raw } as unknown as FastifyReply), close: () => void raw.emit("close") };
}

test("concurrent bodies share a limit, and one without room waits until another is done", async () => {
  const memory = createBodyMemory(16 * MIB, 40 * MIB);
  const hold = (request: FastifyRequest) => {
    const { wait, close } = reserve(memory, request);
    expect(wait).toBeUndefined();
    return close;
  };
  const closeFirst = hold(sized(16 * MIB));
  const chunked = createRequest({ "transfer-encoding": "chunked" });
  hold(chunked);
  memory.resize(chunked, 16 * MIB);
  const { wait } = reserve(memory, sized(16 * MIB));
  expect(wait).toBeInstanceOf(Promise);
  hold(sized(8 * MIB));
  // One whose length was not known can't wait: all of them could wait for each other.
  const growing = createRequest({ "transfer-encoding": "chunked" });
  closeFirst();
  await wait;
  expect(reserve(memory, growing).wait).toBeInstanceOf(Promise);
  expect(() => memory.resize(chunked, 17 * MIB)).toThrow("Too many large requests are being received.");
  // Small bodies, and those over the length limit, are not counted.
  hold(sized(1_000));
  hold(sized(17 * MIB));
});

test("a single body is accepted whatever the limit", () => {
  expect(reserve(createBodyMemory(16 * MIB, MIB), sized(16 * MIB)).wait).toBeUndefined();
});

const FULL = { total: 4 * MIB, share: MIB };
/** A memory in which the share of the member "a" is full, and the request that fills it. */
function fill(times: { readonly maxWaitMs: number; readonly checkMs: number }) {
  const memory = createBodyMemory(MIB, FULL.total, times);
  const request = sized(FULL.share, "a");
  const { close } = reserve(memory, request);
  return { memory, socket: request.raw.socket as unknown as { bytesRead: number }, close };
}

test("a body waits no longer when no body gets on that holds the room, and when it has waited long", async () => {
  const stalled = fill({ maxWaitMs: 600_000, checkMs: 1 });
  const refused = {
    code: "rate_limited",
    retryAfterSeconds: 60,
    message: expect.stringContaining("The maximum is 1 MiB in memory. Send fewer at a time, and try again in 60 s."),
  };
  await expect(reserve(stalled.memory, sized(MIB, "a")).wait).rejects.toMatchObject(refused);
  const slow = fill({ maxWaitMs: 50, checkMs: 1 });
  Object.defineProperty(slow.socket, "bytesRead", { get: () => performance.now() });
  await expect(reserve(slow.memory, sized(MIB, "a")).wait).rejects.toMatchObject({ code: "rate_limited" });
  expect(reserve(slow.memory, sized(MIB, "b")).wait).toBeUndefined();
});

test("few bodies of a caller wait, and those of callers without a key or session do not", async () => {
  const { memory, close } = fill({ maxWaitMs: 600_000, checkMs: 600_000 });
  const waits = Array.from({ length: MAX_WAITING }, () => reserve(memory, sized(MIB, "a")));
  await expect(reserve(memory, sized(MIB, "a")).wait).rejects.toMatchObject({ code: "rate_limited" });
  const stranger = { ...sized(MIB), actor: undefined, ip: "192.0.2.1" } as unknown as FastifyRequest;
  reserve(memory, stranger);
  expect(() => reserve(memory, { ...stranger })).toThrow(
    "You are sending too many large requests at once. The maximum is 1 MiB in memory.",
  );
  // One that leaves makes place for another.
  waits[0]?.close();
  await expect(waits[0]?.wait).rejects.toThrow("The client disconnected.");
  const last = reserve(memory, sized(MIB, "a"));
  close();
  for (const { wait, close: closeNext } of waits.slice(1)) {
    await wait;
    closeNext();
  }
  await last.wait;
});

test.each([
  ["half of a body arrived in 10 s", { bytesRead: 5_000 }, false, 10],
  ["a tenth of a body arrived in 10 s", { bytesRead: 1_000 }, false, 60],
  ["nothing arrived", { bytesRead: 0 }, false, 60],
  ["a body that is handled", { bytesRead: 10_000 }, true, 2],
])("the estimate of when a body is done: %s", (_name, socket, complete, seconds) => {
  const raw = { headers: { "content-length": "10000" }, complete } as IncomingMessage;
  expect(estimateSecondsUntilDone([{ raw, socket: socket as Socket, since: 0, bytesBefore: 0 }], 10_000)).toBe(seconds);
});

test("a client that disconnects while it is admitted reserves no memory", async () => {
  const memory = createBodyMemory(16 * MIB, 16 * MIB);
  const gate = Promise.withResolvers<void>();
  const [entered, hungUp, passed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const app = Fastify();
  app.post("/", {
    onRequest: [
      async (_request, reply) => {
        reply.raw.once("close", () => hungUp.resolve());
        entered.resolve();
        await gate.promise;
      },
      (request, reply, done) => {
        memory.reserve(request, reply);
        passed.resolve();
        done();
      },
    ],
    handler: () => ({}),
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  try {
    const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${16 * MIB}\r\n\r\n`);
    await entered.promise;
    socket.destroy();
    await hungUp.promise;
    gate.resolve();
    await passed.promise;
    expect(reserve(memory, sized(MIB)).wait).toBeUndefined();
  } finally {
    await app.close();
  }
});

test("a body stays counted until its handler has ended, even if the client has disconnected", async () => {
  const memory = createBodyMemory(16 * MIB, 16 * MIB);
  const reply = newReply();
  const request = sized(16 * MIB);
  memory.reserve(request, reply as unknown as FastifyReply);
  const handled = Promise.withResolvers<string>();
  const used = memory.use(request, () => handled.promise);
  reply.raw.emit("close");
  const { wait } = reserve(memory, sized(16 * MIB));
  expect(wait).toBeInstanceOf(Promise);
  handled.resolve("done");
  expect(await used).toBe("done");
  await wait;
});
