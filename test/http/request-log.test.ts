import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NO_LOG } from "#domain/core/log.ts";
import { createRequestLines } from "#composition/tuning/request-lines.ts";
import type { Actor } from "#domain/core/access.ts";
import type { ErrorCode } from "#domain/core/errors/error-codes.ts";
import { AppError } from "#domain/core/errors/error.ts";
import { type RequestLine, systemClock } from "#domain/core/system.ts";
import { createProbes } from "#http/public/probes.ts";
import { createServer, type ServerOptions } from "#http/server/server.ts";

const ACTOR = { kind: "key", keyId: "key_1", businessId: "biz_1" } as unknown as Actor;

let app: FastifyInstance;
let lines: RequestLine[];
let counted: ErrorCode[];
beforeEach(async () => {
  lines = [];
  counted = [];
  app = await createServer({
    deps: { clock: systemClock, log: NO_LOG, store: {}, live: { closeAll: () => {} } } as unknown as ServerOptions["deps"],
    routes: [],
    logRequest: (line) => lines.push(line),
    probes: createProbes({
      metrics: {
        observe: () => {},
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
