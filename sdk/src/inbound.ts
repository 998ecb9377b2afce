import type { InboundTile } from "./generated/schemas.ts";
import type { Content } from "./tiles/input.ts";
import type { BodyOf } from "./transport/operation.ts";
import { requireList } from "./transport/paginate.ts";
import type { CreateOptions, Send } from "./transport/transport.ts";
import { type BatchResult, type Created, pickDone, type SkippedResult } from "./types.ts";

type Body = BodyOf<"POST /api/inbound/tiles">;

/** Exactly one of `url` and `content`. */
export type InboundItem = Omit<Body, keyof Content | "zoneId"> & { readonly zoneId?: string | null } & Content;

/** Tiles from other systems, which need only a key with the permission `inbound`. */
export interface InboundMethods {
  /** Creates a tile from a link, which is read in the background, or from text. With an `externalId` that exists, updates that tile; `onDuplicate` finds it by its address or text too. */
  create(item: InboundItem & { readonly skipDeleted?: false }, call?: CreateOptions): Promise<Created<InboundTile>>;
  /** With `skipDeleted`, returns null if a tile with this `externalId` or address was deleted. */
  create(item: InboundItem, call?: CreateOptions): Promise<Created<InboundTile> | null>;

  /** Creates up to 500 tiles in one call. Returns one result per item, in the same order. */
  batch(items: readonly (InboundItem & { readonly skipDeleted?: false })[], call?: CreateOptions): Promise<readonly BatchResult[]>;
  /** Items with `skipDeleted` can have a result without a tile. */
  batch(items: readonly InboundItem[], call?: CreateOptions): Promise<readonly (BatchResult | SkippedResult)[]>;
}

export function inboundMethods(send: Send): InboundMethods {
  return {
    create: (async (item: InboundItem, call: CreateOptions = {}) => {
      const { tile, ...done } = await send("POST /api/inbound/tiles", { ...call, body: item as Body });
      return tile === null ? null : { ...tile, ...pickDone(done) };
    }) as InboundMethods["create"],
    batch: (async (items: readonly InboundItem[], call: CreateOptions = {}) => {
      const { results } = await send("POST /api/inbound/tiles/batch", { ...call, body: { tiles: items as readonly Body[] } });
      return requireList(results) as readonly (BatchResult | SkippedResult)[];
    }) as InboundMethods["batch"],
  };
}
