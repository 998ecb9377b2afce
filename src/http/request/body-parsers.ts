import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "#domain/core/error.ts";
import type { Semaphore } from "#runtime/semaphore.ts";
import type { BodyMemory } from "./body-memory.ts";
import { ownerOfRequest } from "./byte-shares.ts";
import { parseJson } from "./json.ts";
import { readMediaType } from "./form/media-type.ts";
import { readMultipart } from "./form/multipart.ts";
import { readUrlEncoded } from "./form/url-encoded.ts";
import { receiveBody } from "./receive-body.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The unparsed body, for comparisons byte by byte. */
    rawBody: Buffer | undefined;
  }
}

/** Longer bodies take milliseconds to parse, so they are parsed in the order of the work queue. */
const MAX_UNQUEUED_BYTES = 262_144;

/** What parsers share with other work. */
export type ParserDeps = { readonly workQueue: Semaphore; readonly memory: BodyMemory };

/** Parses JSON bodies; other media types are 415. */
export function addJsonParser(app: FastifyInstance, deps: ParserDeps): void {
  app.removeAllContentTypeParsers();
  for (const type of ["application/json", /^application\/[\w.+-]+\+json$/]) {
    app.addContentTypeParser(type, (request, raw, done) =>
      receive(request, raw, done, (body) => parse(deps, request, body, parseJson, done)),
    );
  }
}

/** Leaves the body to the handler, which reads it as a stream. */
export function addStreamingParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
}

/** Parses JSON under any media type or none, and form fields, as automation platforms and `curl -d` send them. */
export function addLenientParsers(app: FastifyInstance, deps: ParserDeps): void {
  // Fastify rejects an invalid Content-Type before a parser runs; here it counts as absent.
  app.addHook("onRequest", async ({ headers }) => {
    if (readMediaType(headers["content-type"]) === null) delete headers["content-type"];
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (request, raw, done) =>
    receive(request, raw, done, (body) => {
      const header = request.headers["content-type"] ?? "";
      const type = readMediaType(header)?.type;
      if (type === "multipart/form-data") void parseInTurn(deps, request, body, () => readMultipart(body, header), done);
      else parse(deps, request, body, type === "application/x-www-form-urlencoded" ? readForm : parseJson, done);
    }),
  );
}

type Done = (error: Error | null, body?: unknown) => void;

function receive(request: FastifyRequest, raw: IncomingMessage, done: Done, next: (body: Buffer) => void): void {
  receiveBody(raw, request.routeOptions.bodyLimit, (error, body) => {
    if (body === undefined) return done(error);
    request.rawBody = body;
    next(body);
  });
}

function parse(deps: ParserDeps, request: FastifyRequest, body: Buffer, read: (body: Buffer) => unknown, done: Done): void {
  if (body.length > MAX_UNQUEUED_BYTES) return void parseInTurn(deps, request, body, async () => read(body), done);
  try {
    done(null, read(body));
  } catch (error) {
    done(toError(error));
  }
}

/**
 * Parses a long body in the order of the work queue, and a short one at once. The body is counted meanwhile, so that not many wait, and
 * one whose client disconnects waits no longer. Its handler begins within the same use, so that it is counted without a gap.
 */
function parseInTurn(
  { workQueue, memory }: ParserDeps,
  request: FastifyRequest,
  body: Buffer,
  read: () => Promise<unknown>,
  done: Done,
): Promise<void> {
  return memory.use(request, async (signal) => {
    const owner = ownerOfRequest(request);
    const reading = body.length > MAX_UNQUEUED_BYTES ? workQueue.run(read, { owner, signal, isAccepted: true }) : read();
    await reading.then(
      (value) => done(null, value),
      (error: unknown) => done(toError(error)),
    );
  });
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Parses a form, or JSON, which `curl -d '{…}'` sends with the media type of a form. */
const readForm = (body: Buffer): unknown =>
  /^\s*[{[]/.test(body.subarray(0, 64).toString("latin1")) ? parseJson(body) : readUrlEncoded(body);

/** Rejects compressed bodies, which the server does not decompress. */
export function rejectEncodedBody(encoding: string | undefined): void {
  if (encoding === undefined || encoding.trim() === "" || encoding.trim().toLowerCase() === "identity") return;
  throw new AppError("unsupported_media_type", "Send the request body without Content-Encoding.");
}
