import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError, invalid } from "#domain/core/error.ts";
import { parseJson } from "./json.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The body as it came, for what must be compared byte by byte. */
    rawBody: Buffer | undefined;
  }
}

/** The most fields of a form; reading very many would hold up everybody else, so they are counted first. */
const MAX_FIELDS = 1_000;

/** Reads JSON bodies; anything else is 415. */
export function addJsonParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  for (const type of ["application/json", /^application\/[\w.+-]+\+json$/]) {
    app.addContentTypeParser(type, { parseAs: "buffer" }, (request: FastifyRequest, body: Buffer, done) => {
      settle(done, () => {
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

/** Reads JSON under any media type or none, and form fields: what automation platforms and `curl -d` send. */
export function addLenientParsers(app: FastifyInstance): void {
  // Fastify refuses a header that is no media type before any parser is asked; here it counts as none.
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
    settle(done, () => (/^application\/x-www-form-urlencoded/i.test(type) ? readForm(body) : parseJson(body)));
  });
}

function settle(done: (error: Error | null, body?: unknown) => void, read: () => unknown): void {
  try {
    done(null, read());
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
}

/** `curl -d '{…}'` says form but sends JSON. */
function readForm(body: Buffer): unknown {
  if (/^\s*[{[]/.test(body.subarray(0, 64).toString("latin1"))) return parseJson(body);
  refuseManyFields(body, "&");
  return Object.fromEntries(new URLSearchParams(body.toString("utf8")));
}

async function readMultipart(body: Buffer, type: string): Promise<unknown> {
  refuseManyFields(body, `--${/boundary="?([^";]+)/i.exec(type)?.[1]?.trim() ?? ""}`);
  try {
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
    return Object.fromEntries([...form].filter(([, value]) => typeof value === "string"));
  } catch {
    throw invalid("The form could not be read.");
  }
}

function refuseManyFields(body: Buffer, separator: string): void {
  let fields = 0;
  for (let at = body.indexOf(separator); at >= 0; at = body.indexOf(separator, at + separator.length)) {
    if (++fields > MAX_FIELDS) throw invalid(`The form has too many fields. The most is ${MAX_FIELDS.toLocaleString("en")}.`);
  }
}

/** Bodies are read as they come: a compressed one is refused before it is read. */
export function rejectEncodedBody(encoding: string | undefined): void {
  if (encoding === undefined || encoding.trim() === "" || encoding.trim().toLowerCase() === "identity") return;
  throw new AppError("unsupported_media_type", "Send the request body without Content-Encoding.");
}
