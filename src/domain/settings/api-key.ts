import { createHash, hash, randomInt } from "node:crypto";
import type { Authorized, Permission } from "../core/access.ts";
import type { Business } from "../core/board.ts";
import type { IdempotencyRecord } from "../core/idempotency.ts";

export const PERMISSIONS = ["read", "ask", "write", "inbound"] as const satisfies readonly Permission[];

export type ApiKey = {
  readonly id: string;
  readonly businessId: string;
  readonly name: string;
  /** The first characters of the key, for people to tell keys apart. */
  readonly prefix: string;
  readonly boardId: string | null;
  readonly permission: Permission;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  /** Tokens of language models (input and output) in a calendar month, UTC; null for no bound. */
  readonly budget: number | null;
  readonly createdBy: string;
  readonly createdAt: number;
};

/** Who changes keys: the operator at the command line, or an actor that was let in to it. */
export type KeyAdmin = "operator" | Authorized<Business, "administer">;

/** `budget` left out means none. */
export type NewApiKey = Omit<ApiKey, "lastUsedAt" | "revokedAt" | "budget" | "createdBy"> & {
  readonly hash: string;
  readonly budget?: number | null;
  readonly createdBy: KeyAdmin;
};

export type ApiKeyPatch = {
  readonly name?: string;
  /** Null takes the bound away. */
  readonly budget?: number | null;
};

export interface ApiKeyStore {
  /** The key with this SHA-256, whatever its state; the caller judges expiry and revocation. */
  findByHash(hash: string): ApiKey | null | Promise<ApiKey | null>;
  list(businessId: string): Promise<ApiKey[]>;
  /** With `once`, a repetition of the call is refused (409): what its answer showed is kept nowhere. */
  create(key: NewApiKey, idempotency?: IdempotencyRecord<ApiKey>): Promise<ApiKey>;
  /** Null when the business has no such key. A patch that changes nothing leaves no line in the audit log. */
  update(businessId: string, keyId: string, patch: ApiKeyPatch, by: KeyAdmin, now: number): Promise<ApiKey | null>;
  /** Null when the business has no such key; revoking twice keeps the first time. */
  revoke(businessId: string, keyId: string, by: KeyAdmin, now: number): Promise<ApiKey | null>;
  /** Notes last uses (`"businessId keyId"` → time), gathered by the caller so that a request does not write. */
  touch(uses: ReadonlyMap<string, number>): Promise<void>;
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY = 32;
const CHECK = 6;
const SHAPE = new RegExp(`^tsr_[0-9A-Za-z]{${BODY + CHECK}}$`);

/** Six base62 characters of the SHA-256 of what precedes them, so that secret scanners tell a key from what only looks like one. */
function checksum(body: string): string {
  let rest = createHash("sha256").update(body).digest().readUIntBE(0, 6);
  let out = "";
  for (let i = 0; i < CHECK; i++) {
    out += BASE62[rest % 62];
    rest = Math.floor(rest / 62);
  }
  return out;
}

/** `tsr_` + 32 random base62 characters (190 bits) + checksum. */
export function newKey(): string {
  let body = "tsr_";
  for (let i = 0; i < BODY; i++) body += BASE62[randomInt(62)];
  return body + checksum(body);
}

/** Whether this can be a key at all: a cheap look, before any look-up. */
export const isKeyShaped = (key: string): boolean => SHAPE.test(key);

export const keyPrefix = (key: string): string => key.slice(0, 8);

/** The only form in which a key is stored. */
export const hashKey = (key: string): string => hash("sha256", key, "hex");
