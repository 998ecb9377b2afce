import type { FastifyReply } from "fastify";
import type { Tile } from "#domain/content/tile.ts";
import type { TileCreation } from "#domain/content/tile-store.ts";
import type { IdempotentOutcome } from "#domain/core/idempotency.ts";
import { digestBytes } from "../request/body/body-digest.ts";
import { expandResponse } from "../request/stored-response.ts";
import { formatEtag } from "./etag.ts";

/** A response body that is serialised already. */
export class RawJson {
  readonly body: string | Buffer;
  constructor(body: string | Buffer) {
    this.body = body;
  }

  /** The maximum memory of the body. A string takes up to two bytes per code unit. */
  get heldBytes(): number {
    return typeof this.body === "string" ? this.body.length * 2 : this.body.length;
  }
}

/** The version of a new resource, whose first response is what a repeated call gets. */
const FIRST_VERSION = 1;

/** Responds to the creation of a resource that has versions, with its `ETag`. */
export function sendCreatedVersion<T extends { readonly version: number }>(
  reply: FastifyReply,
  outcome: IdempotentOutcome<T>,
  present: (value: T) => object,
): RawJson {
  reply.header("ETag", formatEtag(outcome.replayed ? FIRST_VERSION : outcome.value.version));
  return sendCreated(reply, outcome, present);
}

/** Responds to a call that creates or updates a tile, with its `ETag`. The version after a repeated update is not known. */
export function sendTileCreation<Made extends Pick<Tile, "version">>(
  reply: FastifyReply,
  outcome: IdempotentOutcome<TileCreation<Made>>,
  present: (creation: TileCreation<Made>) => object,
): RawJson {
  const json = sendCreated(reply, outcome, present);
  const isNew = outcome.replayed && String(json.body).endsWith('"created":true}');
  const version = outcome.replayed ? (isNew ? FIRST_VERSION : undefined) : outcome.value.tile?.version;
  if (version !== undefined) reply.header("ETag", formatEtag(version));
  return json;
}

/** Responds to a creation; a repeated call gets the first response again. */
export function sendCreated<T>(reply: FastifyReply, outcome: IdempotentOutcome<T>, present: (value: T) => object): RawJson {
  if (!outcome.replayed) return new RawJson(JSON.stringify(present(outcome.value)));
  const { texts } = reply.request.bodyDigest ?? digestBytes("");
  const body = expandResponse(outcome.body, texts);
  reply.header("Idempotency-Replayed", "true");
  return new RawJson(body);
}
