import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Actor } from "#domain/core/access.ts";
import { runStepInTurn } from "#service/work-queue.ts";
import { ownerOfRequest } from "../request/byte-shares.ts";
import { COMPRESSOR_BYTES, addToVary, chooseCompression, compress, compressStream } from "./compress.ts";
import { logServerError } from "./errors.ts";
import { MIN_COUNTED_BYTES } from "./response-memory.ts";
import { ReusableJson } from "./reusable-json.ts";
import type { HttpDeps } from "../route.ts";
import { STREAM_BYTES, StreamedBody } from "./streamed-body.ts";

export type SendOptions = {
  /** Compresses long bodies if the client accepts that. */
  readonly mayCompress: boolean;
  /** Sends the body even if the caller has too many unsent bytes, since the work was done and must not be repeated. */
  readonly isForced: boolean;
};

export type Body = string | Buffer | ReusableJson | StreamedBody;

type SendDeps = Pick<HttpDeps, "responses" | "workQueue" | "log">;

/**
 * Sends a body. Its memory is counted until it is sent, so it throws 429 or 503 if there is too much unsent already. Returns a promise only
 * if there is something to wait for.
 */
export function sendBody(
  deps: SendDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
  options: SendOptions,
): Promise<void> | undefined {
  if (body instanceof StreamedBody) return sendStream(deps, request, reply, body, options);
  const { body: content, byteLength } = body instanceof ReusableJson ? body : { body, byteLength: Buffer.byteLength(body) };
  if (byteLength < MIN_COUNTED_BYTES) return void reply.send(content);
  const owner = ownerOfRequest(request);
  deps.responses.hold(reply.raw, owner, byteLength, options.isForced);
  const encoding = options.mayCompress ? negotiate(request, reply) : null;
  if (encoding === null) return void reply.send(content);
  const compressContent = () => compress(content, encoding, owner);
  const compressing = body instanceof ReusableJson ? body.compress(encoding, compressContent) : compressContent();
  return compressing.then((compressed) => {
    deps.responses.hold(reply.raw, owner, compressed.length, true);
    reply.header("Content-Encoding", encoding).send(compressed);
  });
}

function sendStream(
  deps: SendDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  body: StreamedBody,
  { mayCompress, isForced }: SendOptions,
): undefined {
  const owner = ownerOfRequest(request);
  const encoding = mayCompress ? negotiate(request, reply) : null;
  // The parts after the first need not be read for the headers.
  // An error that is sent instead has no coding.
  const begin = (): FastifyReply => (encoding === null ? reply : reply.header("Content-Encoding", encoding));
  if (request.method === "HEAD") return void begin().send(Readable.from([]));
  const fixedBytes = STREAM_BYTES + body.heldBytes + (encoding === null ? 0 : COMPRESSOR_BYTES);
  deps.responses.hold(reply.raw, owner, fixedBytes + body.firstBytes, isForced);
  const count = deps.responses.countOf(reply.raw, owner);
  const stream = body.open({ count, fixedBytes, read: (render) => runStepInTurn(deps, request.actor as Actor, render) });
  const sent = encoding === null ? stream : compressStream(stream, encoding);
  sent.once("error", (error) => {
    // Until then, Fastify sends the error.
    if (!reply.raw.headersSent) return;
    logServerError(deps.log, request, error);
    reply.raw.destroy(error);
  });
  begin().send(sent);
}

/** Adds `Vary`, and returns the coding to use. */
function negotiate(request: FastifyRequest, reply: FastifyReply) {
  reply.header("Vary", addToVary(reply.getHeader("Vary")));
  return chooseCompression(request.headers["accept-encoding"]);
}
