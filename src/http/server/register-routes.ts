import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Actor } from "#domain/core/access.ts";
import type { AccessCheck } from "../auth/access-check.ts";
import { type BodyDeadline, createBodyDeadline } from "../request/body-deadline.ts";
import { type BodyMemory, createBodyMemory } from "../request/body-memory.ts";
import { addJsonParser, addLenientParsers, addStreamingParser } from "../request/body-parsers.ts";
import { readObject } from "../request/schema-reader.ts";
import { RawJson } from "../response/raw-json.ts";
import { isCompressible, sendCompressed } from "../response/compress.ts";
import { JSON_TYPE } from "../response/headers.ts";
import type { AnyRoute, HttpDeps } from "../route.ts";

type RegisterOptions = {
  readonly deps: HttpDeps;
  readonly routes: readonly AnyRoute[];
  readonly checkAccess: AccessCheck;
  readonly maxBodyBytes: number;
};

/** What limits request bodies; null for uploads, which the handler reads and limits itself. */
type BodyLimits = { readonly deadline: BodyDeadline; readonly memory: BodyMemory } | null;

const EMPTY = {};
/** The longest body that can be sent without authentication, in bytes. It is too small to be counted by `BodyMemory`. */
const MAX_PUBLIC_BODY_BYTES = 64 * 1_024;

/** Registers the routes in three groups, by how their bodies are parsed. */
export async function registerRoutes(app: FastifyInstance, { deps, routes, checkAccess, maxBodyBytes }: RegisterOptions): Promise<void> {
  const memory = createBodyMemory(maxBodyBytes);
  const deadline = createBodyDeadline((request) => memory.release(request));
  app.addHook("onClose", async () => deadline.stop());
  const addGroup = async (addParsers: (group: FastifyInstance) => void, limits: BodyLimits, isMember: (route: AnyRoute) => boolean) =>
    app.register(async (group) => {
      addParsers(group);
      for (const route of routes) if (isMember(route)) addRoute(group, deps, route, checkAccess, limits);
    });
  await addGroup(addJsonParser, { deadline, memory }, ({ isLenient, form }) => isLenient !== true && form === undefined);
  await addGroup(addStreamingParser, null, ({ form }) => form !== undefined);
  await addGroup(addLenientParsers, { deadline, memory }, ({ isLenient }) => isLenient === true);
}

function addRoute(app: FastifyInstance, deps: HttpDeps, route: AnyRoute, checkAccess: AccessCheck, limits: BodyLimits): void {
  const bodyLimits = route.method === "GET" ? null : limits;
  const access = checkAccess(route);
  const countsBody = route.isPublic !== true;
  const mayCompress = isCompressible(route.path);
  const { body, query } = route;
  app.route({
    method: route.method,
    url: route.path,
    ...(route.isPublic === true ? { bodyLimit: MAX_PUBLIC_BODY_BYTES } : {}),
    // Hooks that do not await use a callback: a promise costs one turn of the event loop per call.
    onRequest:
      bodyLimits === null
        ? access
        : [
            (request, _reply, done) => (bodyLimits.deadline.begin(request), done()),
            access,
            (request, reply, done) => (countsBody && bodyLimits.memory.reserve(request, reply), done()),
          ],
    // A request whose body is rejected never reaches the handler, and would be held with its body until the next check of deadlines.
    ...(bodyLimits === null ? {} : { onResponse: (request, _reply, done) => (bodyLimits.deadline.end(request), done()) }),
    async handler(request, reply) {
      bodyLimits?.deadline.end(request);
      const result = await route.handle({
        deps,
        actor: request.actor as Actor,
        authorized: request.authorized,
        query: query === undefined ? EMPTY : (readObject(query, request.query, true) as never),
        body: body === undefined ? EMPTY : (readObject(body, request.body ?? EMPTY) as never),
        request,
        reply,
      });
      if (reply.sent || result === reply) return reply;
      reply.header("Content-Type", JSON_TYPE);
      const json = result instanceof Readable ? result : result instanceof RawJson ? result.body : JSON.stringify(result);
      return mayCompress ? sendCompressed(request, reply, json) : reply.send(json);
    },
  });
}
