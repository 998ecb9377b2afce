import type { Permission } from "#domain/access.ts";
import { type ApiKey, PERMISSIONS } from "#domain/api-key.ts";
import { isoTime } from "#domain/system.ts";
import { createKey, listKeys, revokeKey } from "#service/keys.ts";
import { type Command, UsageError, print, spanOption, textOption, withData } from "../command.ts";

const presentKey = (key: ApiKey) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  boardId: key.boardId,
  permission: key.permission,
  expiresAt: key.expiresAt === null ? null : isoTime(key.expiresAt),
  lastUsedAt: key.lastUsedAt === null ? null : isoTime(key.lastUsedAt),
  revokedAt: key.revokedAt === null ? null : isoTime(key.revokedAt),
  createdAt: isoTime(key.createdAt),
});

const describe = (key: ApiKey): string => {
  const state = key.revokedAt === null ? "" : "  revoked";
  return `${key.id}  ${key.prefix}…  ${key.permission}  ${key.boardId ?? "all boards"}  ${key.name}${state}`;
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
    options: { name: "text", board: "text", permission: "text", expires: "text" },
    summary: "Makes an API key and shows it once. --permission read|ask|write|inbound, --expires 90d.",
    async run(invocation) {
      const name = textOption(invocation, "name");
      if (name === undefined) throw new UsageError("--name is required: it tells keys apart.");
      const permission = readPermission(textOption(invocation, "permission"));
      const boardId = textOption(invocation, "board") ?? null;
      const lifeMs = spanOption(invocation, "expires") ?? null;
      if (lifeMs === 0) throw new UsageError("--expires: a key must live for some time.");
      await withData(invocation, async ({ deps, business }) => {
        const expiresAt = lifeMs === null ? null : deps.clock.now() + lifeMs;
        const made = await createKey(deps, business.id, { name, boardId, permission, expiresAt, createdBy: "operator" });
        print(invocation, { key: made.key, apiKey: presentKey(made.apiKey) }, [
          made.key,
          "It is shown only now. Keep it where secrets are kept.",
        ]);
      });
    },
  },
  {
    name: "key list",
    summary: "Lists the keys of the business, never the keys themselves.",
    run: (invocation) =>
      withData(invocation, async ({ deps, business }) => {
        const keys = await listKeys(deps, business.id);
        print(invocation, { apiKeys: keys.map(presentKey) }, keys.map(describe));
      }),
  },
  {
    name: "key revoke",
    parameters: ["ID"],
    summary: "Revokes a key at once, on a running server too.",
    run: (invocation) =>
      withData(invocation, async ({ deps, business }) => {
        const key = await revokeKey(deps, business.id, invocation.parameters[0] ?? "", "operator");
        print(invocation, { apiKey: presentKey(key) }, `Revoked ${key.id}.`);
      }),
  },
];
