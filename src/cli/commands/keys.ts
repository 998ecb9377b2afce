import type { Permission } from "#domain/core/access.ts";
import { type ApiKey, PERMISSIONS } from "#domain/settings/api-key.ts";
import { isoTime } from "#domain/core/system.ts";
import { createKey, listKeys, revokeKey } from "#service/settings/keys.ts";
import { type MonthUsage, readMonthUsages } from "#service/usage.ts";
import { type Command, UsageError, countOption, print, durationOption, textOption, withData } from "../command.ts";

const presentKey = (key: ApiKey, usage: MonthUsage) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  boardId: key.boardId,
  permission: key.permission,
  expiresAt: key.expiresAt === null ? null : isoTime(key.expiresAt),
  lastUsedAt: key.lastUsedAt === null ? null : isoTime(key.lastUsedAt),
  revokedAt: key.revokedAt === null ? null : isoTime(key.revokedAt),
  budget: key.budget,
  usage,
  createdAt: isoTime(key.createdAt),
});

const describe = (key: ApiKey, { inputTokens, outputTokens }: MonthUsage): string => {
  const state = key.revokedAt === null ? "" : "  revoked";
  const used = inputTokens + outputTokens;
  const budget = key.budget === null && used === 0 ? "" : `  ${used} ${key.budget === null ? "" : `of ${key.budget} `}tokens this month`;
  return `${key.id}  ${key.prefix}…  ${key.permission}  ${key.boardId ?? "all boards"}  ${key.name}${budget}${state}`;
};

function readPermission(text: string | undefined): Permission {
  if (text === undefined) return "write";
  const found = PERMISSIONS.find((permission) => permission === text);
  if (found === undefined) throw new UsageError(`--permission must be one of ${PERMISSIONS.join(", ")}.`);
  return found;
}

export const KEY_COMMANDS: readonly Command[] = [
  {
    name: "key create",
    options: { name: "text", board: "text", permission: "text", expires: "text", budget: "text" },
    summary:
      "Creates an API key and shows it once. --permission read|ask|write|inbound, --expires 90d, --budget 100000 (tokens of models a month).",
    async run(invocation) {
      const name = textOption(invocation, "name");
      if (name === undefined) throw new UsageError("--name is required to distinguish keys.");
      const permission = readPermission(textOption(invocation, "permission"));
      const boardId = textOption(invocation, "board") ?? null;
      const lifeMs = durationOption(invocation, "expires") ?? null;
      const budget = countOption(invocation, "budget") ?? null;
      if (lifeMs === 0) throw new UsageError("--expires must be longer than 0.");
      await withData(invocation, async ({ deps, business }) => {
        const expiresAt = lifeMs === null ? null : deps.clock.now() + lifeMs;
        const created = await createKey(deps, business.id, { name, boardId, permission, expiresAt, budget, createdBy: "operator" });
        const usageOf = await readMonthUsages(deps, business.id);
        print(invocation, { key: created.key, apiKey: presentKey(created.apiKey, usageOf(created.apiKey.id)) }, [
          created.key,
          "Store it safely; it is not shown again.",
        ]);
      });
    },
  },
  {
    name: "key list",
    summary: "Lists API keys without their secret values.",
    run: (invocation) =>
      withData(invocation, async ({ deps, business }) => {
        const [keys, usageOf] = await Promise.all([listKeys(deps, business.id), readMonthUsages(deps, business.id)]);
        print(
          invocation,
          { apiKeys: keys.map((key) => presentKey(key, usageOf(key.id))) },
          keys.map((key) => describe(key, usageOf(key.id))),
        );
      }),
  },
  {
    name: "key revoke",
    parameters: ["ID"],
    summary: "Revokes a key immediately, also on a running server.",
    run: (invocation) =>
      withData(invocation, async ({ deps, business }) => {
        const key = await revokeKey(deps, business.id, invocation.parameters[0] ?? "", "operator");
        const usageOf = await readMonthUsages(deps, business.id);
        print(invocation, { apiKey: presentKey(key, usageOf(key.id)) }, `Revoked ${key.id}.`);
      }),
  },
];
