import type { ApiKey, ApiKeyStore, NewApiKey } from "#domain/settings/api-key.ts";
import { isEmpty, secretWasShown, settlerName } from "../../shared/changes.ts";
import { KEY_COLUMNS, type KeyRow, keyOf } from "../../shared/rows/rows.ts";
import type { Database, Reader, Transaction } from "../engine/database.ts";
import type { Feed } from "../engine/feed.ts";
import { insertAudit } from "../shared/audit.ts";
import { createOnce } from "../shared/once.ts";

/** How long a key is believed without asking, in milliseconds: a revocation holds on every node within it, even with no word of it. */
const BELIEVED_MS = 500;
const MOST_KEYS = 10_000;

type Known = { readonly key: ApiKey | null; readonly until: number };

async function readKey(on: Reader, businessId: string, keyId: string): Promise<ApiKey | null> {
  const row = await on.get<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_key WHERE business_id = $1 AND id = $2`, businessId, keyId);
  return row === undefined ? null : keyOf(row);
}

async function insertKey(tx: Transaction, key: NewApiKey): Promise<ApiKey> {
  const actor = settlerName(key.createdBy);
  await tx.run(
    `INSERT INTO api_key (business_id, id, name, prefix, hash, board_id, permission, expires_at, budget, created_by, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
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
  await insertAudit(tx, {
    businessId: key.businessId,
    actor,
    action: "key.create",
    subject: key.id,
    at: key.createdAt,
  });
  return (await readKey(tx, key.businessId, key.id)) as ApiKey;
}

export function createApiKeyStore(db: Database, feed: Feed): ApiKeyStore {
  const known = new Map<string, Known>();
  // Raised by every word of a change, so that an answer under way meanwhile is not kept.
  let changes = 0;
  feed.listen((topic) => {
    if (topic !== "keys") return;
    changes++;
    known.clear();
  });

  async function lookUp(hash: string): Promise<ApiKey | null> {
    const before = changes;
    const asked = performance.now();
    const row = await db.get<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_key WHERE hash = $1`, hash);
    const key = row === undefined ? null : keyOf(row);
    // A key that is not there yet may be made at any moment by another node; only what exists is remembered.
    if (key !== null && changes === before) {
      if (known.size >= MOST_KEYS) known.clear();
      known.set(hash, { key, until: asked + BELIEVED_MS });
    }
    return key;
  }

  return {
    findByHash(hash) {
      const entry = known.get(hash);
      if (entry !== undefined && entry.until > performance.now()) return entry.key;
      return lookUp(hash);
    },

    list: async (businessId) =>
      (await db.all<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_key WHERE business_id = $1 ORDER BY created_at, id`, businessId)).map(keyOf),

    create: (key, once) =>
      db.write(async (tx) => {
        const outcome = await createOnce(tx, once, key.createdAt, () => insertKey(tx, key));
        if (outcome.replayed) throw secretWasShown("key");
        return outcome.value;
      }),

    async update(businessId, keyId, patch, by, now) {
      const key = await db.write(async (tx) => {
        await tx.run("SELECT 1 FROM api_key WHERE business_id = $1 AND id = $2 FOR UPDATE", businessId, keyId);
        const before = await readKey(tx, businessId, keyId);
        if (before === null || isEmpty(patch)) return before;
        await tx.run(
          "UPDATE api_key SET name = $1, budget = $2 WHERE business_id = $3 AND id = $4",
          patch.name ?? before.name,
          patch.budget === undefined ? before.budget : patch.budget,
          businessId,
          keyId,
        );
        await insertAudit(tx, { businessId, actor: settlerName(by), action: "key.update", subject: keyId, at: now });
        return readKey(tx, businessId, keyId);
      });
      feed.tell("keys");
      return key;
    },

    async revoke(businessId, keyId, by, now) {
      const key = await db.write(async (tx) => {
        const changed = await tx.run(
          "UPDATE api_key SET revoked_at = $1 WHERE business_id = $2 AND id = $3 AND revoked_at IS NULL",
          now,
          businessId,
          keyId,
        );
        if (changed > 0) await insertAudit(tx, { businessId, actor: settlerName(by), action: "key.revoke", subject: keyId, at: now });
        return readKey(tx, businessId, keyId);
      });
      feed.tell("keys");
      return key;
    },

    async touch(uses) {
      // In one order, so that two nodes that note the same keys do not wait for each other in a circle.
      const sorted = [...uses].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, at]) => ({ key: key.split(" ") as [string, string], at }));
      if (sorted.length === 0) return;
      await db.write((tx) =>
        tx.run(
          `UPDATE api_key k SET last_used_at = greatest(coalesce(k.last_used_at, 0), u.at)
           FROM (SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) AS u (business_id, id, at)) u
           WHERE k.business_id = u.business_id AND k.id = u.id`,
          sorted.map(({ key }) => key[0]),
          sorted.map(({ key }) => key[1]),
          sorted.map(({ at }) => at),
        ),
      );
    },
  };
}
