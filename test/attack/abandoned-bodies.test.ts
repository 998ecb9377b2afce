import { once } from "node:events";
import { type AddressInfo, type Socket, connect } from "node:net";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BodyMemory, createBodyMemory } from "#http/request/body/body-memory.ts";
import { addLenientParsers } from "#http/request/body/body-parsers.ts";
import { type Semaphore, createSemaphore } from "#runtime/turns/semaphore.ts";

const BYTES = 1_048_576;
const JSON_BODY = JSON.stringify({ name: "x".repeat(BYTES - 11) });
const FORM_BODY = `--b\r\nContent-Disposition: form-data; name="name"\r\n\r\n`.padEnd(BYTES - 7, "x") + "\r\n--b--";

let app: FastifyInstance;
let memory: BodyMemory;
/** Holds the only slot of the queue. */
let gate: PromiseWithResolvers<void>;
let handled: unknown[];
/** Resolves with the wait of the body that was received. */
let queued: PromiseWithResolvers<{ readonly turn: Promise<unknown> }>;
beforeEach(async () => {
  memory = createBodyMemory(BYTES, BYTES);
  gate = Promise.withResolvers();
  queued = Promise.withResolvers();
  handled = [];
  const queue = createSemaphore({ slots: 1 });
  void queue.run(() => gate.promise);
  const workQueue: Semaphore = {
    waiting: 0,
    run(work, options) {
      const turn = queue.run(work, options);
      queued.resolve({ turn });
      return turn;
    },
  };
  app = Fastify({ bodyLimit: BYTES });
  app.decorateRequest("bodyBytes", 0);
  await app.register(async (group) => {
    addLenientParsers(group, { workQueue, memory });
    group.post("/", {
      onRequest(request, reply, done) {
        memory.reserve(request, reply);
        done();
      },
      handler: (request) => memory.use(request, async () => handled.push(request.body)),
    });
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(() => app.close());

async function send(type: string, body: string): Promise<Socket> {
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`);
  await new Promise((resolve) => socket.write(body, resolve));
  return socket;
}

/** Whether there is room for another body. */
function hasRoom(): boolean {
  const request = {
    headers: { "content-length": String(BYTES) },
    raw: { socket: {}, headers: {} },
    ip: "192.0.2.1",
  } as unknown as FastifyRequest;
  const reply = { raw: { once: () => undefined } } as unknown as FastifyReply;
  try {
    memory.reserve(request, reply);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ["JSON", "application/json", JSON_BODY],
  ["a form", "multipart/form-data; boundary=b", FORM_BODY],
])("%s that waits to be parsed leaves the queue when its client disconnects, and is counted until then", async (_name, type, body) => {
  const socket = await send(type, body);
  const { turn } = await queued.promise;
  expect(hasRoom()).toBe(false);
  socket.destroy();
  await expect(turn).rejects.toThrow("The client disconnected.");
  await expect.poll(hasRoom).toBe(true);
  gate.resolve();
  expect(handled).toEqual([]);
});

test("a body is counted until the last work that needs it has ended, whatever becomes of the connection", async () => {
  const [parsed, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const request = {
    headers: { "content-length": String(BYTES) },
    raw: { socket: {}, headers: {} },
    ip: "192.0.2.1",
  } as unknown as FastifyRequest;
  const listeners: (() => void)[] = [];
  memory.reserve(request, { raw: { once: (_name: string, listener: () => void) => listeners.push(listener) } } as unknown as FastifyReply);
  let signal: AbortSignal | undefined;
  const parsing = memory.use(request, (disconnected) => ((signal = disconnected), parsed.promise));
  const handling = memory.use(request, () => done.promise);
  for (const close of listeners) close();
  expect(signal?.aborted).toBe(true);
  parsed.resolve();
  await parsing;
  expect(hasRoom()).toBe(false);
  done.resolve();
  await handling;
  expect(hasRoom()).toBe(true);
});
