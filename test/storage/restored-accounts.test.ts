import { expect, it } from "vitest";
import { type Accounts, type AccountRow, listMissing, planAccounts } from "#storage/restore/accounts.ts";

const OF = { business_id: "biz" };
const ADA = { ...OF, id: "mem_ada", email: "ada@example.com", role: "owner", password: "1" };
const BO = { ...OF, id: "mem_bo", email: "bo@example.com", role: "member", password: "1" };
const KEY = { ...OF, id: "key", name: "n8n", revoked_at: null, budget: null };

const accounts = (
  rows: Partial<Record<"api_key" | "inbound_address" | "member" | "invitation" | "webhook", readonly AccountRow[]>>,
  businesses = ["biz"],
): Accounts => ({
  businesses: new Set(businesses),
  rows: { api_key: [], inbound_address: [], member: [], invitation: [], webhook: [], subscription: [], session: [], ...rows },
});

const plan = (backup: Accounts, replaced: Accounts, known: readonly string[] = listMissing(backup, replaced)) =>
  planAccounts(backup, replaced, new Set(known));

it("a plan for the accounts of a backup changes nothing where both databases are the same", () => {
  const same = accounts({ api_key: [KEY], member: [ADA, BO] });
  expect(plan(same, same)).toEqual({ changes: [], writes: [] });
});

it("a plan for the accounts of a backup keeps revoked keys, changed passwords and roles, and removed members", () => {
  const now = { ...KEY, revoked_at: 5 };
  const { changes, writes } = plan(
    accounts({ api_key: [KEY], member: [ADA, BO] }),
    accounts({ api_key: [now], member: [{ ...ADA, password: "2" }] }),
  );
  expect(changes.map(({ id, change }) => [id, change])).toEqual([
    ["key", "revoked"],
    ["mem_ada", "password"],
    ["mem_bo", "removed"],
  ]);
  expect(writes.map(({ action, row }) => [action, row.id])).toEqual([
    ["update", "key"],
    ["update", "mem_ada"],
    ["delete", "mem_bo"],
  ]);
});

it("a plan for the accounts of a backup leaves accounts that the replaced database never had, as in a new installation or an earlier restore", () => {
  const backup = accounts({ api_key: [KEY], member: [ADA] });
  expect(plan(backup, accounts({}, ["another"]))).toEqual({ changes: [], writes: [] });
  expect(plan(backup, accounts({ member: [ADA] }), [])).toEqual({ changes: [], writes: [] });
});

it("a plan for the accounts of a backup keeps the owners of today where none would be left", () => {
  const cy = { ...ADA, id: "mem_cy", email: "cy@example.com" };
  const backup = accounts({ member: [ADA, BO] });
  const { changes, writes } = plan(backup, accounts({ member: [BO, cy] }));
  expect(changes.map(({ id, change }) => [id, change])).toEqual([
    ["mem_ada", "removed"],
    ["mem_cy", "kept"],
  ]);
  expect(writes.at(-1)).toEqual({ table: "member", action: "insert", row: cy });
  const demoted = plan(backup, accounts({ member: [{ ...ADA, role: "member" }, BO, cy] }));
  expect(demoted.changes.map(({ id, change }) => [id, change])).toEqual([
    ["mem_ada", "role"],
    ["mem_cy", "kept"],
  ]);
});

it("a plan for the accounts of a backup takes the webhook of today, which has another id if it was set anew, and leaves a removed one removed", () => {
  const before = { ...OF, id: "whk_1", url: "https://a.example", events: "[]", sealed_secret: "1" };
  const backup = accounts({ webhook: [before] });
  const now = { ...before, id: "whk_2", url: "https://b.example" };
  expect(plan(backup, accounts({ webhook: [now] })).writes.map(({ action, row }) => [action, row.id])).toEqual([
    ["delete", "whk_1"],
    ["insert", "whk_2"],
  ]);
  expect(plan(backup, accounts({})).writes).toEqual([{ table: "webhook", action: "delete", row: before }]);
});
