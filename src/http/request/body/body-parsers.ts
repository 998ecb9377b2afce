import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "#domain/core/errors/error.ts";
import { findExcessiveStructure } from "#runtime/json-structure.ts";
import type { Semaphore } from "#runtime/turns/semaphore.ts";
import { yieldToOthers } from "#service/work-queue.ts";
import { type BodyMemory, FIRST_BYTES } from "./body-memory.ts";
import { ownerOfRequest } from "../byte-shares.ts";
import { digestBytes, digestJson } from "./body-digest.ts";
import { parseJson, parseLongJson } from "./json.ts";
import { readMediaType } from "../form/media-type.ts";
import { readMultipart } from "../form/multipart.ts";
import { readUrlEncoded } from "../form/url-encoded.ts";
import { receiveBody } from "./receive-body.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The length of the body; 0 if it is read as a stream. */
    bodyBytes: number;
    /** Whether the body is a form, whose fields are texts. */
    isForm: boolean;
  }
}

/** Longer bodies take milliseconds to parse, so they are parsed in the order of the work queue. */
const MAX_UNQUEUED_BYTES = 262_144;
/** So do shorter ones with more values, and those from which an idempotency key is digested take longer still. */
const MAX_UNQUEUED_VALUES = 1_000;

/** What parsers share with other work. */
export type ParserDeps = { readonly workQueue: Semaphore; readonly memory: BodyMemory };

/** Parses JSON bodies; other media types are 415. */
export function addJsonParser(app: FastifyInstance, deps: ParserDeps): void {
  app.removeAllContentTypeParsers();
  for (const type of ["application/json", /^application\/[\w.+-]+\+json$/]) {
    app.addContentTypeParser(type, (request, raw, done) =>
      receive(deps, request, raw, done, (body) => parse(deps, request, body, JSON_BODY, done)),
    );
  }
}

/** Leaves the body to the handler, which reads it as a stream. */
export function addStreamingParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
}

/** Receives a body of any media type or none, and leaves its bytes to the handler. */
export function addBytesParser(app: FastifyInstance, deps: ParserDeps): void {
  dropInvalidTypes(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (request, raw, done) => receive(deps, request, raw, done, (body) => done(null, body)));
}

/** Fastify rejects an invalid Content-Type before a parser runs; it then counts as absent. */
function dropInvalidTypes(app: FastifyInstance): void {
  app.addHook("onRequest", ({ headers }, _reply, done) => {
    if (readMediaType(headers["content-type"]) === null) delete headers["content-type"];
    done();
  });
}

/** Parses JSON under any media type or none, and form fields, as automation platforms and `curl -d` send them. */
export function addLenientParsers(app: FastifyInstance, deps: ParserDeps): void {
  dropInvalidTypes(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (request, raw, done) =>
    receive(deps, request, raw, done, (body) => {
      const header = request.headers["content-type"] ?? "";
      const type = readMediaType(header)?.type;
      if (type === "multipart/form-data") void parseInTurn(deps, request, body, () => readMultipartFields(body, header), done);
      else parse(deps, request, body, type === "application/x-www-form-urlencoded" ? findFormat(body) : JSON_BODY, done);
    }),
  );
}

type Parsed = { readonly value: unknown; readonly isJson: boolean };
type Done = (error: Error | null, body?: unknown) => void;

function receive({ memory }: ParserDeps, request: FastifyRequest, raw: IncomingMessage, done: Done, next: (body: Buffer) => void): void {
  const { bodyLimit } = request.routeOptions;
  // Doubled, so that a body in many parts is rarely counted anew.
  let counted = FIRST_BYTES;
  const hold = (bytes: number): void => {
    if (bytes > counted) memory.resize(request, (counted = Math.min(Math.max(2 * counted, bytes), bodyLimit)));
  };
  receiveBody(raw, bodyLimit, hold, (error, body) => {
    if (body === undefined) return done(error);
    request.bodyBytes = body.length;
    next(body);
  });
}

function parse(deps: ParserDeps, request: FastifyRequest, body: Buffer, format: Format, done: Done): void {
  if (isLong(body)) return void parseInTurn(deps, request, body, () => format.readLong(body), done);
  try {
    const parsed = format.read(body);
    noteBody(request, body, parsed);
    done(null, parsed.value);
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
  read: () => Promise<Parsed>,
  done: Done,
): Promise<void> {
  return memory.use(request, async (signal) => {
    const owner = ownerOfRequest(request);
    const takesTurn = isLong(body);
    const readAndDigest = async (): Promise<unknown> => {
      const parsed = await read();
      if (takesTurn) await yieldToOthers();
      noteBody(request, body, parsed);
      return parsed.value;
    };
    const reading = takesTurn ? workQueue.run(readAndDigest, { owner, signal, isAccepted: true }) : readAndDigest();
    await reading.then(
      (value) => done(null, value),
      (error: unknown) => done(toError(error)),
    );
  });
}

/** Whether a body takes milliseconds to parse. */
export const isLong = (body: Buffer): boolean =>
  body.length > MAX_UNQUEUED_BYTES || (body.length > 2 * MAX_UNQUEUED_VALUES && findExcessiveStructure(body, MAX_UNQUEUED_VALUES) !== null);

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Notes what the body is, and digests it if the request may be repeated. */
function noteBody(request: FastifyRequest, body: Buffer, { value, isJson }: Parsed): void {
  request.isForm = !isJson;
  if (request.headers["idempotency-key"] !== undefined) request.bodyDigest = isJson ? digestJson(value) : digestBytes(body);
}

/** How bodies of one kind are parsed, and how long ones are. */
type Format = { readonly read: (body: Buffer) => Parsed; readonly readLong: (body: Buffer) => Promise<Parsed> };

const JSON_BODY: Format = {
  read: (body) => ({ value: parseJson(body), isJson: true }),
  readLong: async (body) => ({ value: await parseLongJson(body), isJson: true }),
};

const readFields = (body: Buffer): Parsed => ({ value: readUrlEncoded(body), isJson: false });

const FORM_BODY: Format = { read: readFields, readLong: async (body) => readFields(body) };

/** JSON too, since `curl -d '{…}'` sends it with the media type of a form. */
const findFormat = (body: Buffer): Format => (/^\s*[{[]/.test(body.subarray(0, 64).toString("latin1")) ? JSON_BODY : FORM_BODY);

const readMultipartFields = async (body: Buffer, type: string): Promise<Parsed> => ({
  value: await readMultipart(body, type),
  isJson: false,
});

/** Rejects compressed bodies, which the server does not decompress. */
export function rejectEncodedBody(encoding: string | undefined): void {
  if (encoding === undefined || encoding.trim() === "" || encoding.trim().toLowerCase() === "identity") return;
  throw new AppError("unsupported_media_type", "Send the request body without Content-Encoding.");
}
