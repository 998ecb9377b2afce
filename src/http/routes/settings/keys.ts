import type { Actor } from "#domain/core/access.ts";
import { requirePermission } from "#domain/core/access.ts";
import { invalidField } from "#domain/core/errors/error.ts";
import { authorizeBusiness } from "#service/access.ts";
import { createKey, listKeys, requireKey, revokeKey, updateKey } from "#service/settings/keys.ts";
import { readMonthUsage, readMonthUsages } from "#service/usage.ts";
import { runInTurn } from "#service/work-queue.ts";
import type { StoreDeps } from "#service/deps.ts";
import { type AnyRoute, defineRoute } from "../../route.ts";
import { createDisconnectSignal } from "../../response/connection/disconnect.ts";
import { readIdempotencyKey, presentIdOnly } from "../../request/idempotency.ts";
import { readTime } from "../../request/time.ts";
import type { InputLimits } from "../../wire/schema.ts";
import { API_KEY_RESPONSES, createApiKeyInputs, presentApiKey } from "../../wire/settings/api-key.ts";

type Inputs = ReturnType<typeof createApiKeyInputs>;

const TAG = "Settings: API keys";

const listKeysRoute = defineRoute({
  method: "GET",
  path: "/api/settings/keys",
  operationId: "listApiKeys",
  tag: TAG,
  summary: "List API keys",
  description:
    "Returns all API keys, including revoked ones, with their usage of this month. The keys themselves are not returned. Admins and owners only.",
  isMembersOnly: true,
  response: API_KEY_RESPONSES.apiKeys,
  guard: (deps, actor) => authorizeBusiness(deps, actor, "administer"),
  handle({ deps, actor, authorized, reply }) {
    const { id } = authorized.target;
    const list = async () => {
      const [keys, getUsage] = await Promise.all([listKeys(deps, id), readMonthUsages(deps, id)]);
      return { keys: keys.map((key) => presentApiKey(key, getUsage(key.id))) };
    };
    return runInTurn(deps, actor, list, createDisconnectSignal(reply));
  },
});

const createKeyRoute = (inputs: Inputs) =>
  defineRoute({
    method: "POST",
    path: "/api/settings/keys",
    operationId: "createApiKey",
    tag: TAG,
    summary: "Create an API key",
    description: "The key is shown only in this response. Returns 409 for a repeated Idempotency-Key. Admins and owners only.",
    isMembersOnly: true,
    body: inputs.create,
    headers: ["Idempotency-Key"],
    returnsSecret: true,
    response: API_KEY_RESPONSES.created,
    guard: (deps, actor) => authorizeBusiness(deps, actor, "administer"),
    async handle({ deps, actor, authorized, body, request }) {
      const { id } = authorized.target;
      if (body.webhooks === true) requirePermission(actor, "own");
      const now = deps.clock.now();
      const input = {
        name: body.name,
        boardId: body.board_id ?? null,
        permission: body.permission ?? "write",
        expiresAt: body.expires_at === undefined ? null : readExpiry(body.expires_at, now),
        budget: body.budget ?? null,
        webhooks: body.webhooks === true,
        createdBy: authorized,
      };
      const { key, apiKey } = await createKey(deps, id, input, readIdempotencyKey(request, actor, now, presentIdOnly));
      return { key, apiKey: presentApiKey(apiKey, await readMonthUsage(deps, id, apiKey.id)) };
    },
  });

const updateKeyRoute = (inputs: Inputs) =>
  defineRoute({
    method: "PATCH",
    path: "/api/settings/keys/:keyId",
    operationId: "updateApiKey",
    tag: TAG,
    summary: "Update an API key",
    description:
      "Changes the name or the token budget. Board, permission and expiry can't be changed: create another key instead. Admins and owners only.",
    isMembersOnly: true,
    body: inputs.update,
    response: API_KEY_RESPONSES.apiKey,
    guard: (deps, actor, { keyId = "" }) => authorizeKey(deps, actor, keyId),
    async handle({ deps, authorized: { scope, keyId }, body }) {
      const patch = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.budget === undefined ? {} : { budget: body.budget }),
      };
      const key = await updateKey(deps, scope.target.id, keyId, patch, scope);
      return { apiKey: presentApiKey(key, await readMonthUsage(deps, scope.target.id, key.id)) };
    },
  });

const revokeKeyRoute = defineRoute({
  method: "DELETE",
  path: "/api/settings/keys/:keyId",
  operationId: "revokeApiKey",
  tag: TAG,
  summary: "Revoke an API key",
  description: "The key stops working immediately and stays in the list. Revoking it again has no effect. Admins and owners only.",
  isMembersOnly: true,
  response: API_KEY_RESPONSES.apiKey,
  guard: (deps, actor, { keyId = "" }) => authorizeKey(deps, actor, keyId),
  async handle({ deps, authorized: { scope, keyId } }) {
    const key = await revokeKey(deps, scope.target.id, keyId, scope);
    deps.accessWatch.check();
    return { apiKey: presentApiKey(key, await readMonthUsage(deps, scope.target.id, key.id)) };
  },
});

async function authorizeKey(deps: StoreDeps, actor: Actor, keyId: string) {
  const scope = await authorizeBusiness(deps, actor, "administer");
  await requireKey(deps, scope.target.id, keyId);
  return { scope, keyId };
}

function readExpiry(text: string, now: number): number {
  const time = readTime("expires_at", text);
  if (time <= now) throw invalidField("expires_at", "must lie in the future.");
  return time;
}

export function apiKeyRoutes(limits: InputLimits): AnyRoute[] {
  const inputs = createApiKeyInputs(limits);
  return [listKeysRoute, createKeyRoute(inputs), updateKeyRoute(inputs), revokeKeyRoute];
}
