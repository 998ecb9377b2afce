import type { Authorized } from "../core/access.ts";
import type { Board, Business } from "../core/board.ts";
import type { IdempotencyRecord } from "../core/idempotency.ts";

export const SIGNATURE_ENCODINGS = ["hex", "base64"] as const;

/** A field name of HTTP (RFC 9110, section 5.1). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;

/** Whether a text can be the name of a header. */
export const isHeaderName = (text: string): boolean => HEADER_NAME.test(text);

/** Where a sender puts the HMAC-SHA256 of a request's body, and in which form. */
export type SignatureForm = {
  /** The name of the header. */
  readonly header: string;
  readonly encoding: (typeof SIGNATURE_ENCODINGS)[number];
  /** What precedes the signature in the header, such as `sha256=`. Empty for nothing. */
  readonly prefix: string;
};

/** An address to which senders that can't set a header post content. The token in its URL is stored as a hash. */
export type InboundAddress = {
  readonly id: string;
  readonly businessId: string;
  readonly name: string;
  readonly boardId: string;
  /** The zone of the tiles that are created; null for none. */
  readonly zoneId: string | null;
  /** The tags of the tiles that are created. */
  readonly tags: readonly string[];
  /** Null if requests are not signed. */
  readonly signature: SignatureForm | null;
  /** The secret of the signature, encrypted by the `SecretBox`. */
  readonly sealedSecret: string | null;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
};

/** The maximum number of addresses of a business. */
export const MAX_INBOUND_ADDRESSES = 200;
/** The requests to one address in a minute. */
export const MAX_INBOUND_REQUESTS = 60;

export type NewInboundAddress = Omit<InboundAddress, "businessId" | "boardId" | "createdBy" | "lastUsedAt"> & { readonly hash: string };

export interface InboundAddressStore {
  /** Finds the address whose token has this SHA-256. Nothing is cached, so that a revoked address is unknown at once on every node. */
  findByHash(hash: string): Promise<InboundAddress | null>;
  /** Lists the addresses of a business by the time of their creation. */
  list(businessId: string): Promise<InboundAddress[]>;
  /**
   * Throws 409 beyond `MAX_INBOUND_ADDRESSES`. With `idempotency`, a repeated call is refused (409), since the URL of the first response is
   * not stored.
   */
  create(
    scope: Authorized<Board, "write">,
    address: NewInboundAddress,
    idempotency?: IdempotencyRecord<InboundAddress>,
  ): Promise<InboundAddress>;
  /** Deletes an address. Returns false when the business has no such address. */
  revoke(scope: Authorized<Business, "write">, addressId: string, now: number): Promise<boolean>;
  /** Stores times of last use (`"businessId addressId"` → time), which the caller collects so that requests write less. */
  touch(uses: ReadonlyMap<string, number>): Promise<void>;
}
