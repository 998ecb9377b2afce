import { expect, test } from "vitest";
import { NO_METER } from "#domain/metrics/meter.ts";
import type { Actor } from "#domain/core/access.ts";
import { AppError } from "#domain/core/errors/error.ts";
import { toUtcDay, toUtcMonth } from "#domain/model/usage.ts";
import { toHttpError } from "#http/response/errors.ts";
import { authenticate } from "#service/access.ts";
import { recordUsage, requireBudget } from "#service/usage.ts";
import { useTestService } from "../../support/service.ts";

const service = useTestService({ ROLE: "api" });

const at = (now: number) => ({ ...service.appContext.deps, clock: { now: () => now } });
const END_OF_MAY = Date.UTC(2026, 4, 31, 23, 59, 59, 999);
const JUNE = END_OF_MAY + 1;

async function newActor(budget: number | null): Promise<{ readonly key: string; readonly actor: Actor }> {
  const { key } = await service.newKey({ budget, permission: "ask" });
  return { key, actor: await authenticate(service.appContext.deps, key) };
}

const budgetMessage = (budget: string, day: string) =>
  `This API key's budget of ${budget} tokens for this month is spent. It resets on ${day} (UTC). Until then, use a key with a larger budget or without one.`;

test("a budget allows calls until input and output tokens reach it, then returns 402 until the month ends", async () => {
  const { actor } = await newActor(1_000);
  await requireBudget(at(END_OF_MAY), actor);
  await recordUsage(at(END_OF_MAY), actor, { endpoint: "ask", usage: { input: 900, output: 99 } });
  await requireBudget(at(END_OF_MAY), actor);
  await recordUsage(at(END_OF_MAY), actor, { endpoint: "idea", usage: { input: 0, output: 1 } });
  const refused = await requireBudget(at(END_OF_MAY), actor).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(AppError);
  expect(toHttpError(refused)).toEqual({
    status: 402,
    code: "budget_spent",
    message: budgetMessage("1,000", "2026-06-01"),
    details: {},
    isServerError: false,
  });
  await requireBudget(at(JUNE), actor);
});

test("a budget belongs to its key; keys without one and the operator are not limited", async () => {
  const { actor } = await newActor(1);
  await recordUsage(at(END_OF_MAY), actor, { endpoint: "ask", usage: { input: 5, output: 5 } });
  await expect(requireBudget(at(END_OF_MAY), actor)).rejects.toThrow("is spent");
  const unasked = {
    ...at(END_OF_MAY),
    store: { usage: { total: () => Promise.reject(new Error("This key has no budget to look up.")) } },
  } as never;
  const { actor: free } = await newActor(null);
  await requireBudget(unasked, free);
  await requireBudget(unasked, { kind: "operator", businessId: service.businessId });
  await expect(requireBudget(unasked, actor)).rejects.toThrow("no budget to look up");
});

test("a budget ignores invalid token counts of a provider", async () => {
  const { actor } = await newActor(10);
  const wrong = { input: Number.NaN, output: -5 };
  await recordUsage(at(END_OF_MAY), actor, { endpoint: "ask", usage: wrong });
  await recordUsage(at(END_OF_MAY), actor, {
    endpoint: "ask",
    usage: { input: Number.POSITIVE_INFINITY, output: 1.4 },
    outcome: "wrong_answer",
  });
  await recordUsage(at(END_OF_MAY), actor, { endpoint: "ask", usage: { input: "x", output: undefined } as never });
  if (actor.kind !== "key") throw new Error("The actor is a key.");
  const total = await service.appContext.deps.store.usage.total(actor.businessId, actor.keyId, toUtcMonth(END_OF_MAY));
  expect(total).toEqual({ calls: 3, input: 0, output: 1 });
});

test("GET /api/me returns the budget of a key and its usage this month", async () => {
  const { key, actor } = await newActor(5_000);
  await recordUsage(service.appContext.deps, actor, { endpoint: "ask", usage: { input: 1_200, output: 34 } });
  await recordUsage(at(Date.now() - 40 * 86_400_000), actor, { endpoint: "ask", usage: { input: 9, output: 9 } });
  const { json } = await service.call("GET", "/api/me", { key });
  const month = new Date().toISOString().slice(0, 7);
  expect(json).toMatchObject({ budget: 5_000, usage: { month, calls: 1, inputTokens: 1_200, outputTokens: 34 } });
});

test("the metrics count calls and tokens with fixed labels, without keys", async () => {
  const counted: unknown[] = [];
  const meter = { ...NO_METER, countModelCall: (...call: unknown[]) => void counted.push(call) };
  const { actor } = await newActor(null);
  const usage = { input: 3, output: 0 };
  await recordUsage({ ...service.appContext.deps, meter }, actor, { endpoint: "generate", usage, outcome: "timeout" });
  expect(counted).toEqual([["generate", "timeout", usage]]);
});

test("months are calendar months in UTC, including leap days and year ends", () => {
  expect(toUtcMonth(Date.UTC(2028, 1, 29, 23))).toEqual({ from: toUtcDay(Date.UTC(2028, 1, 1)), before: toUtcDay(Date.UTC(2028, 2, 1)) });
  expect(toUtcMonth(Date.UTC(2026, 11, 31))).toEqual({ from: toUtcDay(Date.UTC(2026, 11, 1)), before: toUtcDay(Date.UTC(2027, 0, 1)) });
});
