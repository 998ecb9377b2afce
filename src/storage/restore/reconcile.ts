import type { SealedSecret } from "#domain/settings/secret-key.ts";
import type { Params, SqlValue } from "../sql/unit.ts";
import {
  ACCOUNT_TABLES,
  type AccountChange,
  type AccountPlan,
  type Accounts,
  type AccountTable,
  type AccountWrite,
  type AccountRow,
  listMissing,
  planAccounts,
} from "./accounts.ts";

/** Runs statements with named parameters on one of the engines. */
export type Executor = {
  query(sql: string, params?: Params): Promise<readonly AccountRow[]>;
  /** Returns the names of the columns of a table; none if there is no such table. */
  columns(table: string): Promise<readonly string[]>;
};

/** How a restore treats keys, inbound addresses, members, invitations, the webhook and sessions. */
export type AccountOptions = {
  /** Leaves everything as it was at the time of the backup, sessions included. */
  readonly asItWas: boolean;
};

export type AccountReport = {
  /** Whether the replaced database could be read: `none` if there was none, or none was named. */
  readonly replaced: "read" | "unreadable" | "none";
  /** Why it could not be read. */
  readonly reason: string | null;
  /** What was done since the backup: it stays so, or with `asItWas` is undone. */
  readonly changes: readonly AccountChange[];
  /** Sessions of the backup that were ended, or with `asItWas` go on. */
  readonly sessions: number;
  /** The secrets in the restored database, which only the secret key opens. */
  readonly sealed: readonly SealedSecret[];
};

/** What was read of the database that a backup replaces. */
export type Replaced = {
  readonly accounts: Accounts;
  /** Returns which of the ids the database ever had. */
  knows(ids: readonly string[]): Promise<ReadonlySet<string>>;
};

/** Reads the accounts. Throws when the tables that every version has are missing. */
export async function readReplaced(on: Executor): Promise<Replaced> {
  return { accounts: await readAccounts(on), knows: (ids) => findKnown(on, ids) };
}

async function readAccounts(on: Executor): Promise<Accounts> {
  const businesses = new Set((await on.query("SELECT id FROM business")).map(({ id }) => String(id)));
  const rows: Partial<Record<AccountTable, readonly AccountRow[]>> = {};
  for (const table of ACCOUNT_TABLES)
    rows[table] = (await on.columns(table)).length === 0 ? [] : await on.query(`SELECT * FROM ${table} ORDER BY business_id, id`);
  return { businesses, rows: rows as Accounts["rows"] };
}

/** Ids in one statement. */
const BATCH_IDS = 500;

/** Members and webhooks are in the audit log whatever their age, keys and invitations for longer than they can be missing. */
async function findKnown(on: Executor, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let start = 0; start < ids.length; start += BATCH_IDS) {
    const batch = ids.slice(start, start + BATCH_IDS);
    const places = batch.map((_, i) => `@id${i}`).join(", ");
    for (const { subject, actor } of await on.query(
      `SELECT DISTINCT subject, actor FROM audit WHERE subject IN (${places}) OR actor IN (${places})`,
      Object.fromEntries(batch.map((id, i) => [`id${i}`, id])),
    ))
      known.add(String(subject)).add(String(actor));
  }
  return known;
}

/**
 * Applies to restored tables what was revoked and changed in the replaced database, and ends all sessions; with `asItWas` only reports
 * it. `replaced` is the reason if that database can't be read, or null if there is none.
 */
export async function reconcile(on: Executor, replaced: Replaced | string | null, { asItWas }: AccountOptions): Promise<AccountReport> {
  const backup = await readAccounts(on);
  const { changes, writes } = replaced === null || typeof replaced === "string" ? NOTHING : await compare(backup, replaced);
  if (!asItWas) {
    for (const write of writes.toSorted((a, b) => ORDER.indexOf(a.action) - ORDER.indexOf(b.action))) await apply(on, write);
    for (const table of ["session", "claim"]) if ((await on.columns(table)).length > 0) await on.query(`DELETE FROM ${table}`);
  }
  const state = replaced === null ? "none" : typeof replaced === "string" ? "unreadable" : "read";
  const sessions = backup.rows.session.filter(({ expires_at: expiresAt }) => Number(expiresAt) > Date.now()).length;
  return { replaced: state, reason: typeof replaced === "string" ? replaced : null, changes, sessions, sealed: await readSealed(on) };
}

async function readSealed(on: Executor): Promise<SealedSecret[]> {
  const secrets: SealedSecret[] = [];
  for (const table of ["webhook", "subscription", "inbound_address"]) {
    // The file may be of an old version.
    if (!(await on.columns(table)).includes("sealed_secret")) continue;
    for (const row of await on.query(`SELECT business_id, sealed_secret FROM ${table} WHERE sealed_secret IS NOT NULL`))
      secrets.push({ sealed: String(row.sealed_secret), context: String(row.business_id) });
  }
  return secrets;
}

const NOTHING: AccountPlan = { changes: [], writes: [] };
/** Deleted rows make room for unique values of others. */
const ORDER: readonly AccountWrite["action"][] = ["delete", "update", "insert"];

async function compare(backup: Accounts, { accounts, knows }: Replaced): Promise<AccountPlan> {
  return planAccounts(backup, accounts, await knows(listMissing(backup, accounts)));
}

async function apply(on: Executor, { table, action, row }: AccountWrite): Promise<void> {
  const isRow = "business_id = @business_id AND id = @id";
  // The versions of both databases may differ.
  const columns = (await on.columns(table)).filter((column) => column in row);
  const params = Object.fromEntries(["business_id", "id", ...columns].map((column) => [column, row[column] as SqlValue]));
  if (action === "delete") await on.query(`DELETE FROM ${table} WHERE ${isRow}`, params);
  else if (action === "update")
    await on.query(`UPDATE ${table} SET ${columns.map((column) => `${column} = @${column}`).join(", ")} WHERE ${isRow}`, params);
  else {
    const values = columns.map((column) => `@${column}`).join(", ");
    await on.query(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${values}) ON CONFLICT DO NOTHING`, params);
  }
}
