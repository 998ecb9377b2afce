/** A row of a database, by the names of its columns. */
export type AccountRow = Readonly<Record<string, unknown>>;

/** The tables that say who may do what. */
export const ACCOUNT_TABLES = ["api_key", "inbound_address", "member", "invitation", "webhook", "subscription", "session"] as const;
export type AccountTable = (typeof ACCOUNT_TABLES)[number];

/** The accounts of a database. A table that its version does not have is empty. */
export type Accounts = {
  readonly businesses: ReadonlySet<string>;
  readonly rows: Readonly<Record<AccountTable, readonly AccountRow[]>>;
};

/** What was done since the backup, and would be undone by it. */
export type AccountChange = {
  readonly kind: "key" | "inbound_address" | "member" | "invitation" | "webhook";
  readonly businessId: string;
  readonly id: string;
  /** The name of the key or inbound address, the e-mail address, or the URL. */
  readonly name: string;
  /** `kept`: an owner who was added since, as there would be none otherwise. */
  readonly change: "revoked" | "removed" | "changed" | "password" | "role" | "kept";
};

/** A row to write into the restored database, or to delete from it. */
export type AccountWrite = { readonly table: AccountTable; readonly action: "delete" | "update" | "insert"; readonly row: AccountRow };

export type AccountPlan = { readonly changes: readonly AccountChange[]; readonly writes: readonly AccountWrite[] };

type Kind = AccountChange["kind"];
const KINDS = {
  api_key: "key",
  inbound_address: "inbound_address",
  member: "member",
  invitation: "invitation",
  webhook: "webhook",
  subscription: "webhook",
} as const satisfies Record<string, Kind>;
type ChangingTable = keyof typeof KINDS;

const getRowKey = ({ business_id: businessId, id }: AccountRow): string => `${String(businessId)} ${String(id)}`;

/** Returns the ids of accounts that are in the backup alone, though the replaced database has their business. */
export function listMissing(backup: Accounts, replaced: Accounts): string[] {
  return (Object.keys(KINDS) as ChangingTable[]).flatMap((table) => {
    const present = new Set(replaced.rows[table].map(getRowKey));
    return backup.rows[table].filter((row) => isKnownBusiness(replaced, row) && !present.has(getRowKey(row))).map(({ id }) => String(id));
  });
}

const isKnownBusiness = ({ businesses }: Accounts, { business_id: id }: AccountRow): boolean => businesses.has(String(id));

/**
 * Plans how the accounts of a backup become those of the database that it replaces, as far as both have them. `known` has those of
 * `listMissing` that the replaced database once had, so that they were removed since. Accounts that it never had come from another
 * history and stay as in the backup.
 */
export function planAccounts(backup: Accounts, replaced: Accounts, known: ReadonlySet<string>): AccountPlan {
  const changes: AccountChange[] = [];
  const writes: AccountWrite[] = [];
  const add = (table: ChangingTable, row: AccountRow, change: AccountChange["change"], ...planned: AccountWrite[]): void => {
    changes.push({ kind: KINDS[table], businessId: String(row.business_id), id: String(row.id), name: describeRow(row), change });
    writes.push(...planned);
  };
  for (const table of ["api_key", "inbound_address", "member", "invitation", "subscription"] as const) {
    const current = new Map(replaced.rows[table].map((row) => [getRowKey(row), row]));
    for (const row of backup.rows[table]) {
      const now = current.get(getRowKey(row));
      if (now === undefined) {
        if (known.has(String(row.id))) add(table, row, "removed", { table, action: "delete", row });
        continue;
      }
      const change = compare(table, row, now);
      if (change !== null) add(table, now, change, { table, action: "update", row: now });
    }
  }
  planWebhooks(backup, replaced, known, add);
  planOwners(backup, replaced, writes, add);
  return { changes, writes };
}

const describeRow = ({ name, email, url }: AccountRow): string => String(name ?? email ?? url ?? "");

/** The columns that decide what an account may do, with the name of their change. The first that differs counts. */
const DECISIVE: Readonly<
  Record<"api_key" | "inbound_address" | "member" | "invitation" | "subscription", readonly (readonly [string, AccountChange["change"]])[]>
> = {
  api_key: [
    ["revoked_at", "revoked"],
    ["expires_at", "changed"],
    ["permission", "changed"],
    ["board_id", "changed"],
    ["budget", "changed"],
    ["name", "changed"],
  ],
  // An address does not change: one that was revoked is missing.
  inbound_address: [],
  member: [
    ["password", "password"],
    ["role", "role"],
    ["email", "changed"],
  ],
  invitation: [
    ["hash", "changed"],
    ["role", "changed"],
  ],
  subscription: [
    ["url", "changed"],
    ["sealed_secret", "changed"],
    ["status", "changed"],
    ["events", "changed"],
    ["board_id", "changed"],
    ["zone_ids", "changed"],
    ["types", "changed"],
    ["tags", "changed"],
    ["include_tile", "changed"],
  ],
};

function compare(table: keyof typeof DECISIVE, before: AccountRow, now: AccountRow): AccountChange["change"] | null {
  const found = DECISIVE[table].find(([column]) => column in before && column in now && before[column] !== now[column]);
  return found?.[1] ?? null;
}

type Add = (table: ChangingTable, row: AccountRow, change: AccountChange["change"], ...planned: AccountWrite[]) => void;

/** Webhooks belong to a business: setting one anew gives it another id. */
function planWebhooks(backup: Accounts, replaced: Accounts, known: ReadonlySet<string>, add: Add): void {
  const table = "webhook";
  for (const row of backup.rows.webhook) {
    const now = replaced.rows.webhook.find(({ business_id: businessId }) => businessId === row.business_id);
    const remove = { table, action: "delete", row } as const;
    if (now === undefined) {
      if (known.has(String(row.id))) add(table, row, "removed", remove);
    } else if (["id", "url", "events", "sealed_secret"].some((column) => row[column] !== now[column])) {
      add(table, now, "changed", remove, { table, action: "insert", row: now });
    }
  }
}

/** Keeps the owners of a business that would have none: all who owned it at the time of the backup may be gone. */
function planOwners(backup: Accounts, replaced: Accounts, writes: readonly AccountWrite[], add: Add): void {
  const planned = new Map(writes.filter(({ table }) => table === "member").map((write) => [getRowKey(write.row), write]));
  const members = backup.rows.member.flatMap((row) => {
    const write = planned.get(getRowKey(row));
    return write === undefined ? [row] : write.action === "delete" ? [] : [write.row];
  });
  for (const businessId of backup.businesses) {
    if (members.some((row) => row.business_id === businessId && row.role === "owner")) continue;
    for (const row of replaced.rows.member) {
      if (row.business_id !== businessId || row.role !== "owner" || members.some(({ email }) => email === row.email)) continue;
      add("member", row, "kept", { table: "member", action: "insert", row });
    }
  }
}
