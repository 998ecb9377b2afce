import type { ApiKey, ApiKeyStore, NewApiKey } from "#domain/settings/api-key.ts";
import { isEmpty } from "../checks/changes.ts";
import { secretAlreadyShown } from "../checks/errors.ts";
import { getAuditActor, insertAudit } from "./audit.ts";
import type { Driver } from "../driver.ts";
import { flag, insert, Mapping, plainFields } from "../mapping.ts";
import { createIdempotently } from "../checks/idempotency.ts";
import { storeLastUses } from "./last-uses.ts";
import { deleteSubscriptions } from "../events/subscriptions.ts";
import { all, run, type Unit } from "../unit.ts";

const KEYS = new Mapping<ApiKey>({
  ...plainFields("id", "businessId", "name", "prefix", "boardId", "permission", "budget"),
  ...plainFields("createdBy", "createdAt", "expiresAt", "lastUsedAt", "revokedAt"),
  webhooks: flag,
});
const IS_KEY = "business_id = @businessId AND id = @keyId";

/** Returns the key with this hash, or null. */
export const readKeyByHash = (hash: string): Unit<ApiKey | null> => KEYS.find("api_key WHERE hash = @hash", { hash });

const readKey = (businessId: string, keyId: string): Unit<ApiKey | null> => KEYS.find(`api_key WHERE ${IS_KEY}`, { businessId, keyId });

function* insertKey(key: NewApiKey): Unit<ApiKey> {
  const { businessId, id, name, prefix, hash, boardId, permission, expiresAt, createdAt } = key;
  const actor = getAuditActor(key.createdBy);
  const limits = { expiresAt, budget: key.budget ?? null, webhooks: key.webhooks === true };
  yield* insert("api_key", { businessId, id, name, prefix, hash, boardId, permission, ...limits, createdBy: actor, createdAt });
  yield* insertAudit({ businessId, actor, action: "key.create", subject: id, at: createdAt });
  return (yield* readKey(businessId, id)) as ApiKey;
}

/** Revokes a key, and removes the subscriptions that it made. */
function* revokeKey(businessId: string, keyId: string, actor: string, now: number): Unit<ApiKey | null> {
  const sql = `UPDATE api_key SET revoked_at = @now WHERE ${IS_KEY} AND revoked_at IS NULL`;
  if ((yield* run(sql, { businessId, keyId, now })) > 0) {
    yield* insertAudit({ businessId, actor, action: "key.revoke", subject: keyId, at: now });
    yield* deleteSubscriptions({ businessId, id: keyId }, "key_id = @id", actor, now);
  }
  return yield* readKey(businessId, keyId);
}

/** `findByHash` is implemented by each engine with its own cache. */
export function createApiKeyStore(driver: Driver, findByHash: ApiKeyStore["findByHash"]): ApiKeyStore {
  const { dialect, read, writeSettings } = driver;
  return {
    findByHash,
    list: (businessId) => read(() => KEYS.list("api_key WHERE business_id = @businessId ORDER BY created_at, id", { businessId })),
    find: (businessId, keyId) => read(() => readKey(businessId, keyId)),

    async create(key, idempotency) {
      const outcome = await createIdempotently(driver, {
        idempotency,
        now: key.createdAt,
        create: () => insertKey(key),
        write: (unit) => writeSettings("keys", unit),
      });
      if (outcome.replayed) throw secretAlreadyShown("key");
      return outcome.value;
    },

    update: (businessId, keyId, patch, by, now) =>
      writeSettings("keys", function* () {
        const key = yield* KEYS.findForChange(dialect, `api_key WHERE ${IS_KEY}`, { businessId, keyId });
        if (key === null || isEmpty(patch)) return key;
        const { name = key.name, budget = key.budget } = patch;
        yield* run(`UPDATE api_key SET name = @name, budget = @budget WHERE ${IS_KEY}`, { businessId, keyId, name, budget });
        yield* insertAudit({ businessId, actor: getAuditActor(by), action: "key.update", subject: keyId, at: now });
        return yield* readKey(businessId, keyId);
      }),

    revoke: (businessId, keyId, by, now) => writeSettings("keys", () => revokeKey(businessId, keyId, getAuditActor(by), now)),

    findEnded: (keys, now) =>
      read(function* () {
        const rows = yield* all<{ id: string }>(
          `SELECT given.id FROM ${dialect.rowsOfJson("keys", { business: "text", id: "text" })} AS given
           WHERE NOT EXISTS (SELECT 1 FROM api_key k WHERE k.business_id = given.business AND k.id = given.id
             AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > @now))`,
          { keys: JSON.stringify(keys.map(({ businessId, id }) => ({ business: businessId, id }))), now },
        );
        return rows.map(({ id }) => id);
      }),

    touch: (uses) => storeLastUses(driver, "api_key", uses),
  };
}
