import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError, invalid } from "#domain/core/error.ts";
import { parseJson } from "./json.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The unparsed body, for comparisons byte by byte. */
    rawBody: Buffer | undefined;
  }
}

/** Fields are counted before a form is parsed, since parsing very many would block the event loop. */
const MAX_FIELDS = 1_000;

/** Parses JSON bodies; other media types are 415. */
export function addJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  for (const type of ["application/json", /^application\/[\w.+-]+\+json$/]) {
    app.addContentTypeParser(type, { parseAs: "buffer" }, (request: FastifyRequest, body: Buffer, done) => {
      parseInto(done, () => {
        request.rawBody = body;
        return parseJson(body);
      });
    });
  }
}

/** Leaves the body to the handler, which reads it as a stream. */
export function addStreamingParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
}

const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** Parses JSON under any media type or none, and form fields, as automation platforms and `curl -d` send them. */
export function addLenientParsers(app: FastifyInstance): void {
  // Fastify rejects an invalid Content-Type before a parser runs; here it counts as absent.
  app.addHook("onRequest", async ({ headers }) => {
    if (headers["content-type"] !== undefined && !MEDIA_TYPE.test(headers["content-type"])) delete headers["content-type"];
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (request: FastifyRequest, body: Buffer, done) => {
    request.rawBody = body;
    const type = request.headers["content-type"] ?? "";
    if (/^multipart\/form-data/i.test(type)) {
      readMultipart(body, type).then((fields) => done(null, fields), done);
      return;
    }
    parseInto(done, () => (/^application\/x-www-form-urlencoded/i.test(type) ? readForm(body) : parseJson(body)));
  });
}

function parseInto(done: (error: Error | null, body?: unknown) => void, read: () => unknown): void {
  try {
    done(null, read());
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Parses a form, or JSON, which `curl -d '{…}'` sends with the media type of a form. */
function readForm(body: Buffer): unknown {
  if (/^\s*[{[]/.test(body.subarray(0, 64).toString("latin1"))) return parseJson(body);
  rejectManyFields(body, "&");
  return Object.fromEntries(new URLSearchParams(body.toString("utf8")));
}

async function readMultipart(body: Buffer, type: string): Promise<unknown> {
  rejectManyFields(body, `--${/boundary="?([^";]+)/i.exec(type)?.[1]?.trim() ?? ""}`);
  try {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    return Object.fromEntries([...form].filter(([, value]) => typeof value === "string"));
  } catch {
    throw invalid("The form could not be read.");
  }
}

function rejectManyFields(body: Buffer, separator: string): void {
  let fields = 0;
  for (let at = body.indexOf(separator); at >= 0; at = body.indexOf(separator, at + separator.length)) {
    if (++fields > MAX_FIELDS) throw invalid(`The form has too many fields. The maximum is ${MAX_FIELDS.toLocaleString("en")}.`);
  }
}

/** Rejects compressed bodies, which the server does not decompress. */
export function rejectEncodedBody(encoding: string | undefined): void {
  if (encoding === undefined || encoding.trim() === "" || encoding.trim().toLowerCase() === "identity") return;
  throw new AppError("unsupported_media_type", "Send the request body without Content-Encoding.");
}
