import type { ApiKey, ApiKeyStore, NewApiKey } from "#domain/settings/api-key.ts";
import { KEY_COLUMNS, type KeyRow, keyOf } from "../../shared/rows/rows.ts";
import { isEmpty, secretWasShown, settlerName } from "../../shared/changes.ts";
import type { Connection } from "../engine/database.ts";
import { insertAudit } from "../shared/audit.ts";
import { createOnce } from "../shared/once.ts";

export function createApiKeyStore(db: Connection): ApiKeyStore {
  const memo = { version: -1, keys: new Map<string, ApiKey | null>() };

  const readKey = (businessId: string, keyId: string): ApiKey | null => {
    const row = db.get<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_key WHERE business_id = ? AND id = ?`, businessId, keyId);
    return row === undefined ? null : keyOf(row);
  };

  const insertKey = (key: NewApiKey): ApiKey => {
    const actor = settlerName(key.createdBy);
    db.run(
      `INSERT INTO api_key (business_id, id, name, prefix, hash, board_id, permission, expires_at, budget, created_by, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      key.businessId,
      key.id,
      key.name,
      key.prefix,
      key.hash,
      key.boardId,
      key.permission,
      key.expiresAt,
      key.budget ?? null,
      actor,
      key.createdAt,
    );
    insertAudit(db, { businessId: key.businessId, actor, action: "key.create", subject: key.id, at: key.createdAt });
    return readKey(key.businessId, key.id) as ApiKey;
  };

  return {
    findByHash(hash) {
      const version = db.settingsVersion();
      // Unknown hashes are remembered too, so the memo is bounded against somebody who tries many.
      if (memo.version !== version || memo.keys.size > 10_000) {
        memo.version = version;
        memo.keys.clear();
      }
      let key = memo.keys.get(hash);
      if (key === undefined) {
        const row = db.get<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_key WHERE hash = ?`, hash);
        key = row === undefined ? null : keyOf(row);
        memo.keys.set(hash, key);
      }
      return key;
    },

    list: async (businessId) =>
      db.all<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_key WHERE business_id = ? ORDER BY created_at, id`, businessId).map(keyOf),

    create: (key, once) =>
      db.writeSettings(() => {
        const outcome = createOnce(db, once, key.createdAt, () => insertKey(key));
        if (outcome.replayed) throw secretWasShown("key");
        return outcome.value;
      }),

    update: (businessId, keyId, patch, by, now) =>
      db.writeSettings(() => {
        const key = readKey(businessId, keyId);
        if (key === null || isEmpty(patch)) return key;
        db.run(
          "UPDATE api_key SET name = ?, budget = ? WHERE business_id = ? AND id = ?",
          patch.name ?? key.name,
          patch.budget === undefined ? key.budget : patch.budget,
          businessId,
          keyId,
        );
        insertAudit(db, { businessId, actor: settlerName(by), action: "key.update", subject: keyId, at: now });
        return readKey(businessId, keyId);
      }),

    revoke: (businessId, keyId, by, now) =>
      db.writeSettings(() => {
        const changed = db.run(
          "UPDATE api_key SET revoked_at = ? WHERE business_id = ? AND id = ? AND revoked_at IS NULL",
          now,
          businessId,
          keyId,
        );
        if (changed > 0) insertAudit(db, { businessId, actor: settlerName(by), action: "key.revoke", subject: keyId, at: now });
        return readKey(businessId, keyId);
      }),

    touch: (uses) =>
      db.write(() => {
        for (const [key, at] of uses) {
          const [businessId, id] = key.split(" ") as [string, string];
          db.run(
            "UPDATE api_key SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE business_id = ? AND id = ?",
            at,
            businessId,
            id,
          );
        }
      }),
  };
}
