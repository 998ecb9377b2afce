import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "#domain/core/access.ts";
import { runFor } from "#runtime/turns/current-owner.ts";
import type { AccessCheck } from "../auth/access-check.ts";
import { type BodyDeadline, createBodyDeadline } from "../request/body/body-deadline.ts";
import type { BodyMemory } from "../request/body/body-memory.ts";
import { type ParserDeps, addBytesParser, addJsonParser, addLenientParsers, addStreamingParser } from "../request/body/body-parsers.ts";
import { HELD_UPLOAD_BYTES } from "../request/form/upload.ts";
import { IgnoredFields } from "../request/ignored-fields.ts";
import { applyPreference, prefersStrict } from "../request/prefer.ts";
import { readObject } from "../request/schema-reader.ts";
import { ownerOfRequest } from "../request/byte-shares.ts";
import { contentEtag, matchesIfNoneMatch } from "../response/etag.ts";
import { logServerError } from "../response/errors.ts";
import { RawJson } from "../response/raw-json.ts";
import { ReusableJson } from "../response/reusable-json.ts";
import { addToVary, isCompressible } from "../response/compress.ts";
import { type Body, sendBody } from "../response/send.ts";
import { StreamedBody } from "../response/streamed-body.ts";
import { JSON_TYPE } from "../response/headers.ts";
import type { AnyRoute, HttpDeps } from "../route.ts";

type RegisterOptions = {
  readonly deps: HttpDeps;
  readonly routes: readonly AnyRoute[];
  readonly checkAccess: AccessCheck;
};

/** What limits request bodies. Uploads have no deadline but a minimum rate, and `heldBytes` of each are in memory. */
type BodyLimits = { readonly deadline: BodyDeadline | null; readonly memory: BodyMemory; readonly heldBytes?: number };

const EMPTY = {};
/** The longest body that can be sent without authentication, in bytes. */
const MAX_PUBLIC_BODY_BYTES = 64 * 1_024;

/** Registers the routes in four groups, by how their bodies are parsed. */
export async function registerRoutes(app: FastifyInstance, { deps, routes, checkAccess }: RegisterOptions): Promise<void> {
  const memory = deps.bodies;
  const deadline = createBodyDeadline();
  app.addHook("onClose", async () => deadline.stop());
  const addGroup = async (
    addParsers: (group: FastifyInstance, parserDeps: ParserDeps) => void,
    limits: BodyLimits,
    isMember: (route: AnyRoute) => boolean,
  ) =>
    app.register(async (group) => {
      addParsers(group, { workQueue: deps.workQueue, memory });
      for (const route of routes) if (isMember(route)) addRoute(group, deps, route, checkAccess, limits);
    });
  await addGroup(
    addJsonParser,
    { deadline, memory },
    ({ isLenient, form, keepsBody }) => (isLenient ?? keepsBody) !== true && form === undefined,
  );
  await addGroup(addStreamingParser, { deadline: null, memory, heldBytes: HELD_UPLOAD_BYTES }, ({ form }) => form !== undefined);
  await addGroup(addLenientParsers, { deadline, memory }, ({ isLenient }) => isLenient === true);
  await addGroup(addBytesParser, { deadline, memory }, ({ keepsBody }) => keepsBody === true);
}

function addRoute(app: FastifyInstance, deps: HttpDeps, route: AnyRoute, checkAccess: AccessCheck, limits: BodyLimits): void {
  const { deadline, memory, heldBytes } = limits;
  const hasBody = route.method !== "GET";
  const bodyLimit = route.isPublic === true ? { bodyLimit: MAX_PUBLIC_BODY_BYTES } : {};
  // The length of an upload is limited where it is read.
  const maxBytes = heldBytes === undefined ? bodyLimit.bodyLimit : Infinity;
  const access = checkAccess(route);
  const options = { mayCompress: isCompressible(route.path), isForced: route.method !== "GET" };
  const { repeatsBody } = route;
  app.route({
    method: route.method,
    url: route.path,
    ...bodyLimit,
    // Hooks that do not await use a callback: a promise costs one turn of the event loop per call.
    onRequest: hasBody
      ? [
          access,
          (request, reply, done) => {
            // A body that waits for memory has its time afterwards.
            const receive = (): void => (deadline?.begin(request), done());
            const wait = memory.reserve(request, reply, maxBytes, heldBytes);
            if (wait === undefined) receive();
            else wait.then(receive, done);
          },
        ]
      : access,
    // A request whose body is rejected never reaches the handler, and would be held with its body until the next check of deadlines.
    ...(hasBody ? { onResponse: (request, _reply, done) => (deadline?.end(request), done()) } : {}),
    // What follows the access check runs for the caller already, but for what waits for a body. Fastify must not wait for the result: for
    // a reply, it would watch the response to its end.
    handler: (request, reply) => void (hasBody ? runFor(ownerOfRequest(request), () => handle(request, reply)) : handle(request, reply)),
  });

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    deadline?.end(request);
    try {
      const sending = respond(request, reply, await run(request, reply));
      if (sending !== undefined) await sending;
    } catch (error) {
      if (!reply.sent) reply.send(error);
      // The error of a stream that has begun.
      else logServerError(deps.log, request, error);
    }
  }

  function run(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    // The response repeats the text of a new tile. It is counted before the tile is created, because it cannot be refused afterwards.
    if (repeatsBody === true) deps.responses.hold(reply.raw, ownerOfRequest(request), 2 * request.bodyBytes);
    const context = readContext(deps, route, request, reply, memory);
    return memory.use(request, () => route.handle(context));
  }

  /** Returns a promise only if there is something to wait for. */
  function respond(request: FastifyRequest, reply: FastifyReply, result: unknown): Promise<void> | undefined {
    if (reply.sent) return undefined;
    if (!reply.hasHeader("Content-Type")) reply.header("Content-Type", JSON_TYPE);
    const content = toBody(result);
    return sendNotModified(route, request, reply, content) ? undefined : sendBody(deps, request, reply, content, options);
  }
}

function toBody(result: unknown): Body {
  if (result instanceof StreamedBody || result instanceof ReusableJson) return result;
  return result instanceof RawJson ? result.body : JSON.stringify(result);
}

/** Sets the ETag of a resource without versions. Sends 304 if the client of a `GET` has the current version. */
function sendNotModified(
  { method, path, isVersioned, isTagged }: AnyRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  content: Body,
): boolean {
  if (isTagged === true && (typeof content === "string" || content instanceof Buffer)) reply.header("ETag", contentEtag(content));
  if (method !== "GET" || (isVersioned ?? isTagged) === undefined) return false;
  const known = request.headers["if-none-match"];
  if (known === undefined || !matchesIfNoneMatch(String(reply.getHeader("ETag")), known)) return false;
  // As the response itself. Its tag is the same in every coding, since `If-Match` needs a strong one.
  if (isCompressible(path)) reply.header("Vary", addToVary(reply.getHeader("Vary")));
  reply.removeHeader("Content-Type").code(304);
  void reply.send();
  return true;
}

/** Reports fields that the route does not know, before what it knows is read: one that is missing may have been misspelt. */
function checkFields(
  { query, body, isStrict, readsBody, keepsBody }: AnyRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): IgnoredFields {
  const isStrictByChoice = prefersStrict(request);
  if (isStrictByChoice) applyPreference(reply, "handling=strict");
  const ignored = new IgnoredFields(reply, isStrict === true || isStrictByChoice);
  ignored.addUnknown(query, request.query);
  if ((readsBody ?? keepsBody) !== true) ignored.addUnknown(body, request.body);
  return ignored;
}

function readContext(deps: HttpDeps, route: AnyRoute, request: FastifyRequest, reply: FastifyReply, memory: BodyMemory) {
  const { body, query } = route;
  const context = {
    deps,
    actor: request.actor as Actor,
    authorized: request.authorized,
    ignored: checkFields(route, request, reply),
    holdBody: (bytes: number) => memory.resize(request, bytes),
    query: query === undefined ? EMPTY : (readObject(query, request.query, "query") as never),
    body: body === undefined ? EMPTY : (readObject(body, request.body ?? EMPTY, request.isForm ? "form" : "json") as never),
    request,
    reply,
  };
  // What the route does not use is not kept while it works.
  if (body !== undefined) request.body = undefined;
  return context;
}
