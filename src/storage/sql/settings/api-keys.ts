import type { ApiKey, ApiKeyStore, NewApiKey } from "#domain/settings/api-key.ts";
import { isEmpty, secretWasShown, settlerName } from "../../shared/changes.ts";
import { KEY_COLUMNS, type KeyRow, keyOf } from "../../shared/rows/rows.ts";
import { insertAudit } from "../audit.ts";
import { type Driver, readForChange } from "../driver.ts";
import { createOnce } from "../once.ts";
import { all, get, run, type Unit } from "../unit.ts";

const IS_KEY = "business_id = @businessId AND id = @keyId";

/** The key with a hash; null where there is none. */
export function* readKeyByHash(hash: string): Unit<ApiKey | null> {
  const row = yield* get<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_key WHERE hash = @hash`, { hash });
  return row === undefined ? null : keyOf(row);
}

function* readKey(businessId: string, keyId: string): Unit<ApiKey | null> {
  const row = yield* get<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_key WHERE ${IS_KEY}`, { businessId, keyId });
  return row === undefined ? null : keyOf(row);
}

function* insertKey(key: NewApiKey): Unit<ApiKey> {
  const { businessId, id, name, prefix, hash, boardId, permission, expiresAt, createdAt } = key;
  const actor = settlerName(key.createdBy);
  yield* run(
    `INSERT INTO api_key (business_id, id, name, prefix, hash, board_id, permission, expires_at, budget, created_by, created_at)
     VALUES (@businessId, @id, @name, @prefix, @hash, @boardId, @permission, @expiresAt, @budget, @actor, @createdAt)`,
    { businessId, id, name, prefix, hash, boardId, permission, expiresAt, budget: key.budget ?? null, actor, createdAt },
  );
  yield* insertAudit({ businessId, actor, action: "key.create", subject: id, at: createdAt });
  return (yield* readKey(businessId, id)) as ApiKey;
}

/** `findByHash` is the engine's, which knows how long a key may be cached. */
export function createApiKeyStore({ dialect, read, write, writeSettings }: Driver): Omit<ApiKeyStore, "findByHash"> {
  return {
    list: (businessId) =>
      read(function* () {
        const rows = yield* all<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_key WHERE business_id = @businessId ORDER BY created_at, id`, {
          businessId,
        });
        return rows.map(keyOf);
      }),

    create: (key, once) =>
      writeSettings("keys", function* () {
        const outcome = yield* createOnce(once, key.createdAt, () => insertKey(key));
        if (outcome.replayed) throw secretWasShown("key");
        return outcome.value;
      }),

    update: (businessId, keyId, patch, by, now) =>
      writeSettings("keys", function* () {
        const row = yield* readForChange<KeyRow>(dialect, `SELECT ${KEY_COLUMNS} FROM api_key WHERE ${IS_KEY}`, { businessId, keyId });
        const key = row === undefined ? null : keyOf(row);
        if (key === null || isEmpty(patch)) return key;
        const { name = key.name, budget = key.budget } = patch;
        yield* run(`UPDATE api_key SET name = @name, budget = @budget WHERE ${IS_KEY}`, { businessId, keyId, name, budget });
        yield* insertAudit({ businessId, actor: settlerName(by), action: "key.update", subject: keyId, at: now });
        return yield* readKey(businessId, keyId);
      }),

    revoke: (businessId, keyId, by, now) =>
      writeSettings("keys", function* () {
        const changed = yield* run(`UPDATE api_key SET revoked_at = @now WHERE ${IS_KEY} AND revoked_at IS NULL`, {
          businessId,
          keyId,
          now,
        });
        if (changed > 0) yield* insertAudit({ businessId, actor: settlerName(by), action: "key.revoke", subject: keyId, at: now });
        return yield* readKey(businessId, keyId);
      }),

    async touch(uses) {
      // In one order, so that two nodes that record the same keys do not wait for each other in a circle.
      const rows = [...uses]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, at]) => ({ business_id: key.split(" ")[0], id: key.split(" ")[1], at }));
      if (rows.length === 0) return;
      await write(() =>
        run(
          `UPDATE api_key SET last_used_at = ${dialect.greatest}(coalesce(last_used_at, 0), used.at)
           FROM ${dialect.rowsOfJson("rows", { business_id: "text", id: "text", at: "bigint" })} AS used
           WHERE api_key.business_id = used.business_id AND api_key.id = used.id`,
          { rows: JSON.stringify(rows) },
        ),
      );
    },
  };
}
