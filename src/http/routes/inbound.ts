import { requirePermission } from "#domain/core/access.ts";
import { AppError } from "#domain/core/errors/error.ts";
import { type InboundTile, createInboundTile } from "#service/content/inbound.ts";
import { type InboundMessage, createFromMessage } from "#service/content/inbound-message.ts";
import { createInboundBatch } from "#service/content/inbound-batch.ts";
import { openInboundSecret, requireInboundAddress } from "#service/settings/inbound-addresses.ts";
import { TOKEN_PARAMETER } from "../auth/access-check.ts";
import { createDisconnectSignal } from "../response/connection/disconnect.ts";
import { readChallenge } from "../request/message/challenge.ts";
import { readContent } from "../request/message/message-tile.ts";
import { type ReceivedMessage, readMessage } from "../request/message/read-message.ts";
import { requireSignature } from "../request/message/signature.ts";
import { sendCreated, sendTileCreation } from "../response/raw-json.ts";
import { readObject } from "../request/schema-reader.ts";
import { type AnyRoute, defineRoute } from "../route.ts";
import { readIdempotencyKey } from "../request/idempotency.ts";
import {
  INBOUND_RESPONSES,
  presentBatch,
  presentInboundCreation,
  presentMessage,
  presentRepeatableBatch,
  presentRepeatableInboundCreation,
} from "../wire/inbound.ts";
import type { InputLimits } from "../wire/schema.ts";
import { createTileInputs, listIneffectiveFields, readInboundTile } from "../wire/tiles/tile-input.ts";

type Inputs = ReturnType<typeof createTileInputs>;

/** Returns an item of a batch, or the error for it. */
function readItem(inputs: Inputs, item: unknown): InboundTile | AppError {
  try {
    return readInboundTile(readObject(inputs.inbound, item));
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Returns the files of a message, and what it is known by. */
function listFiles(message: ReceivedMessage): Pick<InboundMessage, "files" | "fileCount" | "id"> {
  if (message.kind === "mail") return { files: message.mail.files, fileCount: message.mail.fileCount, id: message.id };
  return message.kind === "fields" ? { files: message.files, fileCount: message.files.length } : { files: [], fileCount: 0 };
}

const inboundRoute = (inputs: Inputs) =>
  defineRoute({
    method: "POST",
    path: "/api/inbound/tiles",
    operationId: "createInboundTile",
    tag: "Inbound",
    summary: "Create a tile from an external trigger",
    description: "Creates a tile from a link, which is read in the background, or from text. Accepts form fields as well as JSON.",
    body: inputs.inbound,
    headers: ["Idempotency-Key"],
    isVersioned: true,
    response: INBOUND_RESPONSES.tile,
    isLenient: true,
    guard: (_deps, actor) => requirePermission(actor, "inbound"),
    async handle({ deps, actor, body, ignored, request, reply }) {
      const idempotency = readIdempotencyKey(request, actor, deps.clock.now(), presentRepeatableInboundCreation);
      const tile = readInboundTile(body);
      ignored.addWithoutEffect(...listIneffectiveFields(body));
      return sendTileCreation(reply, await createInboundTile(deps, actor, tile, idempotency), presentInboundCreation);
    },
  });

const batchRoute = (inputs: Inputs) =>
  defineRoute({
    method: "POST",
    path: "/api/inbound/tiles/batch",
    operationId: "createInboundTiles",
    tag: "Inbound",
    summary: "Create up to 500 tiles",
    description: "Returns one result per item, in the same order: { tile, created } or { error }.",
    body: inputs.inboundBatch,
    headers: ["Idempotency-Key"],
    response: INBOUND_RESPONSES.batch,
    isLenient: true,
    guard: (_deps, actor) => requirePermission(actor, "inbound"),
    async handle({ deps, actor, body, request, reply }) {
      const items = body.tiles.map((item) => readItem(inputs, item));
      const idempotency = readIdempotencyKey(request, actor, deps.clock.now(), presentRepeatableBatch);
      return sendCreated(reply, await createInboundBatch(deps, actor, items, idempotency), presentBatch);
    },
  });

const addressRoute = (inputs: Inputs, limits: InputLimits) =>
  defineRoute({
    method: "POST",
    path: `/in/:${TOKEN_PARAMETER}`,
    operationId: "postToInboundAddress",
    tag: "Inbound",
    summary: "Post to an inbound address",
    description:
      "Creates a tile from JSON, form fields, text or an e-mail, as the sender has it. The URL is the secret; a signature is checked if the address has one. Slack's url_verification is answered.",
    hasToken: true,
    keepsBody: true,
    response: INBOUND_RESPONSES.message,
    guard: (_deps, _actor, { [TOKEN_PARAMETER]: token = "" }) => ({ token }),
    async handle({ deps, actor, authorized: { token }, ignored, request, reply }) {
      const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
      request.body = undefined;
      // It may have been revoked while the body arrived.
      const address = await requireInboundAddress(deps, token);
      const secret = openInboundSecret(deps, address);
      if (secret !== null && address.signature !== null) await requireSignature(secret, address.signature, request.headers, body);
      const signal = createDisconnectSignal(reply);
      const message = await readMessage(deps, { actor, contentType: request.headers["content-type"], body, signal });
      const challenge = readChallenge(message);
      if (challenge !== null) return { challenge };
      const content = await readContent({ deps, actor, inputs, limits, ignored, signal }, message);
      return presentMessage(await createFromMessage(deps, actor, address, { ...content, ...listFiles(message) }, deps.limits.fileBytes));
    },
  });

export function inboundRoutes(limits: InputLimits): AnyRoute[] {
  const inputs = createTileInputs(limits);
  return [inboundRoute(inputs), batchRoute(inputs), addressRoute(inputs, limits)];
}
