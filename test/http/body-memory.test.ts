import { EventEmitter, once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { createBodyMemory } from "#http/request/body-memory.ts";

const MIB = 1_048_576;
let requests = 0;
/** Each request is by another business, so that only the limit of the process applies. */
const createRequest = (headers: Record<string, string>): FastifyRequest =>
  ({
    headers,
    raw: {},
    actor: { kind: "member", memberId: `mbr_${requests}`, businessId: `biz_${requests++}` },
  }) as unknown as FastifyRequest;
const sized = (bytes: number): FastifyRequest => createRequest({ "content-length": String(bytes) });
const newReply = () => ({ raw: new EventEmitter() });

test("concurrent bodies share a limit, and free their memory after the response", () => {
  const memory = createBodyMemory(16 * MIB, 40 * MIB);
  const reserve = (request: FastifyRequest) => {
    const reply = newReply();
    memory.reserve(request, reply as unknown as FastifyReply);
    return reply;
  };
  const first = reserve(sized(16 * MIB));
  const chunked = createRequest({ "transfer-encoding": "chunked" });
  reserve(chunked);
  memory.resize(chunked, 16 * MIB);
  expect(() => reserve(sized(16 * MIB))).toThrow(expect.objectContaining({ code: "unavailable", retryAfterSeconds: 2 }));
  reserve(sized(8 * MIB));
  expect(() => reserve(sized(MIB))).toThrow("Too many large requests are being received.");
  // Small bodies, and those over the length limit, are not counted.
  reserve(sized(1_000));
  reserve(sized(17 * MIB));
  first.raw.emit("close");
  reserve(sized(16 * MIB));
});

test("a single body is accepted whatever the limit", () => {
  expect(() => createBodyMemory(16 * MIB, MIB).reserve(sized(16 * MIB), newReply() as unknown as FastifyReply)).not.toThrow();
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
    expect(() => memory.reserve(sized(MIB), newReply() as unknown as FastifyReply)).not.toThrow();
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
  expect(() => memory.reserve(sized(MIB), newReply() as unknown as FastifyReply)).toThrow("Too many large requests");
  handled.resolve("done");
  expect(await used).toBe("done");
  expect(() => memory.reserve(sized(16 * MIB), newReply() as unknown as FastifyReply)).not.toThrow();
});
