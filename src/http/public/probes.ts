import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "#domain/core/errors/error.ts";
import { createSingleFlight } from "#runtime/single-flight.ts";
import { isLocalCaller } from "../auth/loopback.ts";
import { createDisconnectSignal } from "../response/connection/disconnect.ts";
import { sendError } from "../response/errors.ts";
import { JSON_TYPE } from "../response/headers.ts";
import type { Metrics } from "./metrics/metrics.ts";

/** When to ask again for a storage with a problem that takes the operator's help. */
const READY_RETRY_SECONDS = 5;

const METRICS_FORBIDDEN = "Metrics are available on loopback without a proxy, or with METRICS_TOKEN as a bearer token.";

export type Probes = {
  readonly routes: readonly { readonly method: "GET"; readonly path: string }[];
  /** Returns what keeps the storage from working; null if it works. */
  readonly checkStorage: () => Promise<AppError | null>;
  readonly metricsToken: string;
  readonly metrics: Pick<Metrics, "observe" | "countError" | "render">;
};

const PATHS = ["/health/live", "/health/ready", "/metrics", "/openapi.json"];

export const createProbes = (options: Omit<Probes, "routes">): Probes => ({
  routes: PATHS.map((path) => ({ method: "GET", path })),
  ...options,
});

/** Adds the public routes: health checks, metrics and the OpenAPI document. They contain no data of a business. */
export function addProbes(app: FastifyInstance, probes: Probes): void {
  const renderings = createSingleFlight<Awaited<ReturnType<Metrics["render"]>>>();
  app.get("/health/live", async (_request, reply) => reply.send({ status: "ok" }));
  app.get("/health/ready", async (request, reply) => {
    const problem = await probes.checkStorage();
    if (problem === null) return reply.send({ status: "ok" });
    reply.header("Retry-After", String(READY_RETRY_SECONDS));
    // Load balancers read the status: whatever the problem is, this node is not ready.
    return sendError(request, reply, problem, { status: 503, body: { error: problem.message, code: problem.code } });
  });
  app.get("/metrics", async (request, reply) => {
    if (!mayReadMetrics(request, probes.metricsToken)) return sendError(request, reply, new AppError("forbidden", METRICS_FORBIDDEN));
    const { contentType, text } = await renderings.run("metrics", createDisconnectSignal(reply), probes.metrics.render);
    return reply.header("Content-Type", contentType).send(text);
  });
  // One buffer for all responses: a client that does not read holds no copy of it.
  let openApi: Buffer | undefined;
  app.get("/openapi.json", async (_request, reply) => {
    openApi ??= Buffer.from(JSON.stringify(app.swagger()));
    return reply.header("Content-Type", JSON_TYPE).send(openApi);
  });
}

/** Compares digests in constant time, so that the duration reveals neither the length nor the position of a difference. */
const isEqual = (given: string, expected: string): boolean =>
  timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"));

function mayReadMetrics(request: FastifyRequest, token: string): boolean {
  if (token !== "" && isEqual(request.headers.authorization ?? "", `Bearer ${token}`)) return true;
  return isLocalCaller(request.raw);
}
