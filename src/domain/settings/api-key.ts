import { createHash, hash, randomInt } from "node:crypto";
import type { Authorized, Permission } from "../core/access.ts";
import type { Business } from "../core/board.ts";
import type { IdempotencyRecord } from "../core/idempotency.ts";

export const PERMISSIONS = ["read", "ask", "write", "inbound"] as const satisfies readonly Permission[];

export type ApiKey = {
  readonly id: string;
  readonly businessId: string;
  readonly name: string;
  /** The first characters of the key, so that people can distinguish keys. */
  readonly prefix: string;
  readonly boardId: string | null;
  readonly permission: Permission;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  /** Model tokens (input and output) per calendar month (UTC); null for no limit. */
  readonly budget: number | null;
  /** Whether the key may manage webhooks of its own. */
  readonly webhooks: boolean;
  readonly createdBy: string;
  readonly createdAt: number;
};

/** Who changes keys: the operator at the command line, or an authorized actor. */
export type KeyAdmin = "operator" | Authorized<Business, "administer">;

/** An undefined `budget` means no limit, and an undefined `webhooks` false. */
export type NewApiKey = Omit<ApiKey, "lastUsedAt" | "revokedAt" | "budget" | "webhooks" | "createdBy"> & {
  readonly hash: string;
  readonly budget?: number | null;
  readonly webhooks?: boolean;
  readonly createdBy: KeyAdmin;
};

export type ApiKeyPatch = {
  readonly name?: string;
  /** Null removes the limit. */
  readonly budget?: number | null;
};

export interface ApiKeyStore {
  /** Finds the key with this SHA-256. The caller checks expiry and revocation. */
  findByHash(hash: string): ApiKey | null | Promise<ApiKey | null>;
  list(businessId: string): Promise<ApiKey[]>;
  /** Returns null when the business has no such key. */
  find(businessId: string, keyId: string): Promise<ApiKey | null>;
  /** With `idempotency`, a repeated call is refused (409), since the key of the first response is not stored. */
  create(key: NewApiKey, idempotency?: IdempotencyRecord<ApiKey>): Promise<ApiKey>;
  /** Returns null when the business has no such key. A patch without changes is not recorded in the audit log. */
  update(businessId: string, keyId: string, patch: ApiKeyPatch, by: KeyAdmin, now: number): Promise<ApiKey | null>;
  /** Returns null when the business has no such key. Revoking again keeps the first time. */
  revoke(businessId: string, keyId: string, by: KeyAdmin, now: number): Promise<ApiKey | null>;
  /** Returns the ids of those of these keys that were revoked or have expired, or that do not exist. */
  findEnded(keys: readonly { readonly businessId: string; readonly id: string }[], now: number): Promise<string[]>;
  /** Stores times of last use (`"businessId keyId"` → time), which the caller collects so that requests do not write. */
  touch(uses: ReadonlyMap<string, number>): Promise<void>;
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const SHAPE = new RegExp(`^tsr_[0-9A-Za-z]{${BODY_LENGTH + CHECKSUM_LENGTH}}$`);

/** Returns six base62 characters of the SHA-256 of the key's body, so that secret scanners can recognise real keys. */
function checksum(body: string): string {
  let rest = createHash("sha256").update(body).digest().readUIntBE(0, 6);
  let out = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    out += BASE62[rest % 62];
    rest = Math.floor(rest / 62);
  }
  return out;
}

/** Creates a key: `tsr_`, 32 random base62 characters (190 bits) and a checksum. */
export function newKey(): string {
  let body = "tsr_";
  for (let i = 0; i < BODY_LENGTH; i++) body += BASE62[randomInt(62)];
  return body + checksum(body);
}

/** Whether the text has the format of a key: a cheap check before the database lookup. */
export const hasKeyFormat = (key: string): boolean => SHAPE.test(key);

export const keyPrefix = (key: string): string => key.slice(0, 8);

/** Hashes a key with SHA-256, the only form in which it is stored. */
export const hashKey = (key: string): string => hash("sha256", key, "hex");
