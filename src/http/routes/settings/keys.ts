import type { Actor } from "#domain/core/access.ts";
import { invalid } from "#domain/core/error.ts";
import { grantBusiness } from "#service/access.ts";
import { createKey, listKeys, requireKey, revokeKey, updateKey } from "#service/settings/keys.ts";
import { readMonthUsages } from "#service/usage.ts";
import { type AnyRoute, type HttpDeps, defineRoute } from "../../route.ts";
import { readIdempotencyKey, renderIdOnly } from "../../request/idempotency.ts";
import { readTime } from "../../request/time.ts";
import { SETTINGS_OUTPUTS, type SettingsInputs } from "../../wire/settings-schemas.ts";
import { presentKey } from "../../wire/settings-presenters.ts";

const TAG = "Settings: keys";

export function settingsKeyRoutes(inputs: SettingsInputs): AnyRoute[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/settings/keys",
      tag: TAG,
      summary: "List API keys",
      description: "For admins and owners. Revoked ones too, and never the keys themselves; usage is this month's.",
      isMembersOnly: true,
      response: SETTINGS_OUTPUTS.keys,
      guard: (deps, actor) => grantBusiness(deps, actor, "administer"),
      async handle({ deps, authorized }) {
        const { id } = authorized.target;
        const [keys, usageOf] = await Promise.all([listKeys(deps, id), readMonthUsages(deps, id)]);
        return { keys: keys.map((key) => presentKey(key, usageOf(key.id))) };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/settings/keys",
      tag: TAG,
      summary: "Create an API key",
      description:
        "For admins and owners. This answer is the only one that shows the key: the same call again under its Idempotency-Key makes nothing and is 409.",
      isMembersOnly: true,
      body: inputs.keyCreate,
      response: SETTINGS_OUTPUTS.keyCreated,
      guard: (deps, actor) => grantBusiness(deps, actor, "administer"),
      async handle({ deps, actor, authorized, body, request }) {
        const { id } = authorized.target;
        const now = deps.clock.now();
        const input = {
          name: body.name,
          boardId: body.board_id ?? null,
          permission: body.permission ?? "write",
          expiresAt: body.expires_at === undefined ? null : readExpiry(body.expires_at, now),
          budget: body.budget ?? null,
          createdBy: authorized,
        };
        const { key, apiKey } = await createKey(deps, id, input, readIdempotencyKey(request, actor, now, renderIdOnly));
        const usageOf = await readMonthUsages(deps, id);
        return { key, apiKey: presentKey(apiKey, usageOf(apiKey.id)) };
      },
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/settings/keys/:keyId",
      tag: TAG,
      summary: "Rename an API key, or change its budget",
      description: "For admins and owners. Scope, permission and expiry stay as the key was made: make another one instead.",
      isMembersOnly: true,
      body: inputs.keyUpdate,
      response: SETTINGS_OUTPUTS.key,
      guard: (deps, actor, { keyId = "" }) => grantKey(deps, actor, keyId),
      async handle({ deps, authorized: { scope, keyId }, body }) {
        const patch = {
          ...(body.name === undefined ? {} : { name: body.name }),
          ...(body.budget === undefined ? {} : { budget: body.budget }),
        };
        const key = await updateKey(deps, scope.target.id, keyId, patch, scope);
        const usageOf = await readMonthUsages(deps, scope.target.id);
        return { apiKey: presentKey(key, usageOf(key.id)) };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/settings/keys/:keyId",
      tag: TAG,
      summary: "Revoke an API key",
      description: "For admins and owners. It holds at once; the key stays in the list. Revoking twice keeps the first time.",
      isMembersOnly: true,
      response: SETTINGS_OUTPUTS.key,
      guard: (deps, actor, { keyId = "" }) => grantKey(deps, actor, keyId),
      async handle({ deps, authorized: { scope, keyId } }) {
        const key = await revokeKey(deps, scope.target.id, keyId, scope);
        const usageOf = await readMonthUsages(deps, scope.target.id);
        return { apiKey: presentKey(key, usageOf(key.id)) };
      },
    }),
  ];
}

async function grantKey(deps: HttpDeps, actor: Actor, keyId: string) {
  const scope = await grantBusiness(deps, actor, "administer");
  await requireKey(deps, scope.target.id, keyId);
  return { scope, keyId };
}

function readExpiry(text: string, now: number): number {
  const time = readTime("expires_at", text);
  if (time <= now) throw invalid("expires_at must lie in the future.");
  return time;
}
