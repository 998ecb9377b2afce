import type { InboundAddress } from "../generated/schemas.ts";
import type { BodyOf } from "../transport/operation.ts";
import type { CallOptions, CreateOptions, Send } from "../transport/transport.ts";

export type NewInboundAddress = BodyOf<"POST /api/settings/inbound-addresses">;

/** URLs for senders that can't set a header. */
export interface InboundAddressMethods {
  /** All addresses, oldest first. */
  list(call?: CallOptions): Promise<readonly InboundAddress[]>;

  /** `url` is returned only once: a repeated call with the same `idempotencyKey` fails with 409. */
  create(input: NewInboundAddress, call?: CreateOptions): Promise<{ readonly inboundAddress: InboundAddress; readonly url: string }>;

  /** The URL stops working immediately. */
  revoke(addressId: string, call?: CallOptions): Promise<void>;
}

export function inboundAddressMethods(send: Send): InboundAddressMethods {
  return {
    list: async (call = {}) => (await send("GET /api/settings/inbound-addresses", call)).inboundAddresses,

    create: async (body, call = {}) => {
      const { inboundAddress, url } = await send("POST /api/settings/inbound-addresses", { ...call, body });
      return { inboundAddress, url };
    },

    revoke: async (addressId, call = {}) => {
      await send("DELETE /api/settings/inbound-addresses/{addressId}", { ...call, path: { addressId } });
    },
  };
}
