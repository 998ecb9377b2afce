import type { Permission } from "#domain/core/access.ts";
import { type ApiKey, type ApiKeyPatch, type KeyAdmin, hashKey, keyPrefix, newKey } from "#domain/settings/api-key.ts";
import { notFound } from "#domain/core/errors/error.ts";
import type { IdempotencyRecord } from "#domain/core/idempotency.ts";
import { newId } from "#domain/core/system.ts";
import type { StoreDeps } from "../deps.ts";

/** Creates a key. The returned `key` is not stored and can't be read again. */
export async function createKey(
  { store, clock }: StoreDeps,
  businessId: string,
  input: {
    readonly name: string;
    readonly boardId: string | null;
    readonly permission: Permission;
    readonly expiresAt: number | null;
    /** Model tokens per calendar month; undefined or null for no limit. */
    readonly budget?: number | null;
    /** Whether the key may manage webhooks of its own. */
    readonly webhooks?: boolean;
    readonly createdBy: KeyAdmin;
  },
  idempotency?: IdempotencyRecord<ApiKey>,
): Promise<{ readonly key: string; readonly apiKey: ApiKey }> {
  if (input.boardId !== null && (await store.boards.find(businessId, input.boardId)) === null) throw notFound("Board");
  const key = newKey();
  const now = clock.now();
  const draft = { ...input, id: newId("key", now), businessId, prefix: keyPrefix(key), hash: hashKey(key), createdAt: now };
  const apiKey = await store.apiKeys.create(draft, idempotency);
  return { key, apiKey };
}

export const listKeys = ({ store }: StoreDeps, businessId: string): Promise<ApiKey[]> => store.apiKeys.list(businessId);

/** Changes the name or the budget, the only fields of a key that can change. */
export async function updateKey(
  { store, clock }: StoreDeps,
  businessId: string,
  keyId: string,
  patch: ApiKeyPatch,
  by: KeyAdmin,
): Promise<ApiKey> {
  const key = await store.apiKeys.update(businessId, keyId, patch, by, clock.now());
  if (key === null) throw notFound("Key");
  return key;
}

/** Throws 404 when the business has no such key. */
export async function requireKey({ store }: StoreDeps, businessId: string, keyId: string): Promise<ApiKey> {
  const key = await store.apiKeys.find(businessId, keyId);
  if (key === null) throw notFound("Key");
  return key;
}

export async function revokeKey({ store, clock }: StoreDeps, businessId: string, keyId: string, by: KeyAdmin): Promise<ApiKey> {
  const key = await store.apiKeys.revoke(businessId, keyId, by, clock.now());
  if (key === null) throw notFound("Key");
  return key;
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Parses a duration such as `90d`, `12h`, `30m` or `2w` into milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(\d{1,6})([mhdw])$/.exec(text);
  if (match === null) throw new Error(`"${text}" is not a duration. Write a number and a unit: 30m, 12h, 90d or 2w.`);
  return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
}
