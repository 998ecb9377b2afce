import type { Permission } from "#domain/core/access.ts";
import { type ApiKey, PERMISSIONS } from "#domain/settings/api-key.ts";
import { isoTime } from "#domain/core/system.ts";
import { createKey, listKeys, revokeKey } from "#service/settings/keys.ts";
import { type MonthUsage, readMonthUsages } from "#service/usage.ts";
import { type Command, UsageError, print } from "../../command.ts";
import { countOption, durationOption, textOption } from "../../options.ts";
import { withData } from "../../with-data.ts";

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
  webhooks: key.webhooks,
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
    options: {
      name: { value: "NAME", meaning: "What the key is for, to tell keys apart.", isRequired: true },
      board: { value: "ID", meaning: "Limits the key to this board; by default it is valid for all." },
      permission: { value: "PERMISSION", meaning: "read, ask, write (default) or inbound, which only adds content.", choices: PERMISSIONS },
      expires: { value: "DURATION", meaning: "How long it is valid, such as 12h, 90d or 2w; by default without end." },
      budget: { value: "TOKENS", meaning: "Maximum tokens of models in a month; by default without limit." },
      webhooks: { meaning: "Lets the key register webhooks of its own, and manage them." },
    },
    summary: "Creates an API key, and shows it once.",
    examples: ['key create --name "n8n" --permission inbound', "key create --name Newsletter --board brd_… --expires 90d --budget 100000"],
    installation: "created",
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
        const webhooks = invocation.options.webhooks === true;
        const created = await createKey(deps, business.id, {
          name,
          boardId,
          permission,
          expiresAt,
          budget,
          webhooks,
          createdBy: "operator",
        });
        const getUsage = await readMonthUsages(deps, business.id);
        print(invocation, { key: created.key, apiKey: presentKey(created.apiKey, getUsage(created.apiKey.id)) }, [
          created.key,
          "Store it safely; it is not shown again.",
        ]);
      });
    },
  },
  {
    name: "key list",
    summary: "Lists API keys without their secret values.",
    examples: ["key list", "key list --json"],
    installation: "required",
    run: (invocation) =>
      withData(invocation, async ({ deps, business }) => {
        const [keys, getUsage] = await Promise.all([listKeys(deps, business.id), readMonthUsages(deps, business.id)]);
        print(
          invocation,
          { apiKeys: keys.map((key) => presentKey(key, getUsage(key.id))) },
          keys.map((key) => describe(key, getUsage(key.id))),
        );
      }),
  },
  {
    name: "key revoke",
    parameters: [{ name: "ID", meaning: 'The id of the key, from "key list".' }],
    summary: "Revokes a key at once, also on a running server.",
    examples: ["key revoke key_…", "key revoke key_… --json"],
    installation: "required",
    run: (invocation) =>
      withData(invocation, async ({ deps, business }) => {
        const key = await revokeKey(deps, business.id, invocation.parameters[0] ?? "", "operator");
        const getUsage = await readMonthUsages(deps, business.id);
        print(invocation, { apiKey: presentKey(key, getUsage(key.id)) }, `Revoked ${key.id}.`);
      }),
  },
];
