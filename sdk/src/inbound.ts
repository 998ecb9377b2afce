import type { InboundTile } from "./generated/schemas.ts";
import type { Content } from "./tiles/input.ts";
import type { BodyOf } from "./transport/operation.ts";
import type { CreateOptions, Send } from "./transport/transport.ts";
import type { BatchResult } from "./types.ts";

type Body = BodyOf<"POST /api/inbound/tiles">;

/** Exactly one of `url` and `content`. */
export type InboundItem = Omit<Body, "content" | "url" | "origin" | "zoneId"> & { readonly zoneId?: string | null } & Content;

/** Tiles from other systems, which need only a key with the permission `inbound`. */
export interface InboundMethods {
  /** Creates a tile from a link, which is read in the background, or from text. */
  create(item: InboundItem, call?: CreateOptions): Promise<InboundTile>;

  /** Creates up to 500 tiles in one call. Returns one result per item, in the same order. */
  batch(items: readonly InboundItem[], call?: CreateOptions): Promise<readonly BatchResult[]>;
}

export function inboundMethods(send: Send): InboundMethods {
  return {
    create: async (item, call = {}) => (await send("POST /api/inbound/tiles", { ...call, body: item as Body })).tile,
    batch: async (items, call = {}) => {
      const { results } = await send("POST /api/inbound/tiles/batch", { ...call, body: { tiles: items as readonly Body[] } });
      return results as readonly BatchResult[];
    },
  };
}
