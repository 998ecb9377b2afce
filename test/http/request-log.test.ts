import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { NO_LOG } from "#domain/core/log.ts";
import { createRequestLines } from "#composition/tuning/request-lines.ts";
import type { Actor } from "#domain/core/access.ts";
import type { ErrorCode } from "#domain/core/errors/error-codes.ts";
import { AppError } from "#domain/core/errors/error.ts";
import { type RequestLine, systemClock } from "#domain/core/system.ts";
import { createProbes } from "#http/public/probes.ts";
import { createBodyMemory } from "#http/request/body/body-memory.ts";
import { createResponseMemory } from "#http/response/response-memory.ts";
import { type BodyPart, StreamedBody } from "#http/response/streamed-body.ts";
import { type AnyRoute, defineRoute } from "#http/route.ts";
import { openEventStream } from "#http/streams/event-stream.ts";
import { createWorkQueue } from "#service/work-queue.ts";
import { createServer, type ServerOptions } from "#http/server/server.ts";

const ACTOR = { kind: "key", keyId: "key_1", businessId: "biz_1" } as unknown as Actor;

/** Longer than what waits in a stream before its head is sent. */
const FIRST_PART = "x".repeat(200_000);

async function* failAfterFirstPart(): AsyncGenerator<BodyPart> {
  yield () => Promise.reject(new TypeError("The database is damaged."));
}

const publicRoute = (path: string, handle: AnyRoute["handle"]): AnyRoute =>
  defineRoute({
    method: "GET",
    path,
    operationId: path.slice(1),
    tag: "Tiles",
    summary: path,
    description: "",
    response: Type.Object({}),
    isPublic: true,
    guard: () => undefined,
    handle: (context) => {
      context.request.actor = ACTOR;
      return handle(context as never);
    },
  }) as AnyRoute;

const ROUTES = [
  publicRoute("/listing", async () => new StreamedBody(FIRST_PART, failAfterFirstPart())),
  publicRoute("/events", async ({ reply }) => {
    openEventStream(reply).end();
    throw new TypeError("The database is damaged.");
  }),
];

let app: FastifyInstance;
let lines: RequestLine[];
let counted: ErrorCode[];
let failures: object[];
let observed: number[];
beforeEach(async () => {
  lines = [];
  counted = [];
  failures = [];
  observed = [];
  app = await createServer({
    deps: {
      clock: systemClock,
      log: { ...NO_LOG, error: (fields: object) => failures.push(fields) },
      store: { refreshSnapshot: () => {} },
      live: { closeAll: () => {} },
      csrfGuard: () => {},
      hostGuard: () => {},
      bodies: createBodyMemory(1_048_576),
      responses: createResponseMemory(),
      workQueue: createWorkQueue(),
    } as unknown as ServerOptions["deps"],
    routes: ROUTES,
    logRequest: (line) => lines.push(line),
    probes: createProbes({
      metrics: {
        observe: (_method, _route, status) => observed.push(status),
        countError: (code) => counted.push(code),
        render: async () => ({ contentType: "text/plain", text: "" }),
      },
      metricsToken: "",
      checkStorage: async () => null,
    }),
    web: null,
    maxBodyBytes: 1_000,
    maxConnections: 100,
    baseUrl: "",
    trustProxy: [],
    corsOrigins: [],
    onUse: () => {},
  });
  app.get("/busy", (request) => {
    request.actor = ACTOR;
    throw new AppError("rate_limited", "Too much work is waiting. Try again in 1 s.", 1);
  });
});
afterEach(() => app.close());

/** Sends a call, and returns its connection. */
async function openCall(path: string) {
  await app.listen({ port: 0, host: "127.0.0.1" });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
}

it("the line of a refused call has its error code, key and business, and the code is counted", async () => {
  await app.inject("/busy");
  expect(lines).toEqual([expect.objectContaining({ route: "/busy", status: 429, code: "rate_limited", key: "key_1", business: "biz_1" })]);
  expect(counted).toEqual(["rate_limited"]);
});

it("the line of an error without a route or a caller has its code, and that of a success has none", async () => {
  await app.inject("/nowhere");
  await app.inject("/health/live");
  expect(lines.map(({ status, code }) => [status, code])).toEqual([
    [404, "path_not_found"],
    [200, undefined],
  ]);
  expect(lines[1]).not.toHaveProperty("code");
  expect(counted).toEqual(["path_not_found"]);
});

it("a line with a code is written as JSON", async () => {
  await app.inject("/busy");
  let text = "";
  const written = createRequestLines(
    (batch) => (text += batch),
    () => "",
  );
  for (const line of lines) written.add(line);
  written.flush();
  expect(JSON.parse(text)).toEqual({ ...lines[0], msg: "request" });
});

it("an error in a listing that is being sent is logged, and its call has a line with status 500", async () => {
  const socket = (await openCall("/listing")).resume();
  await once(socket, "close");
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(failures).toEqual([expect.objectContaining({ route: "/listing", error: "The database is damaged." })]);
  expect([lines[0]?.status, observed]).toEqual([500, [500]]);
});

it("an error after an event stream has begun is logged", async () => {
  (await openCall("/events")).resume();
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  expect(failures).toEqual([expect.objectContaining({ route: "/events", error: "The database is damaged." })]);
});

it("a call whose client disconnects has one line, with status 499", async () => {
  const called = Promise.withResolvers<void>();
  const work = Promise.withResolvers<object>();
  app.get("/slow", () => (called.resolve(), work.promise));
  const socket = await openCall("/slow");
  await called.promise;
  socket.destroy();
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  work.resolve({});
  await app.close();
  expect(lines.map(({ route, status }) => [route, status])).toEqual([["/slow", 499]]);
  expect([observed, failures]).toEqual([[499], []]);
});
