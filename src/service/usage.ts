import { type Actor, actorId } from "#domain/core/access.ts";
import { AppError } from "#domain/core/error.ts";
import type { Media, MediaReaders } from "#domain/model/media.ts";
import { ModelError, type TokenUsage } from "#domain/model/model.ts";
import {
  type MeteredEndpoint,
  type ModelEndpoint,
  type ModelMeter,
  type ModelOutcome,
  NO_USAGE,
  type UsageTotal,
  dayOf,
  isoDay,
  monthOf,
} from "#domain/model/usage.ts";
import type { Deps } from "./deps.ts";

type UsageDeps = Pick<Deps, "store" | "clock">;

/** A meter that counts in memory, from the start of the process. */
export function createModelMeter(): ModelMeter {
  const calls = new Map<string, { readonly endpoint: MeteredEndpoint; readonly outcome: ModelOutcome; count: number }>();
  const tokens = new Map<MeteredEndpoint, { readonly endpoint: MeteredEndpoint; usage: TokenUsage }>();
  return {
    count(endpoint, outcome, usage) {
      const name = `${endpoint} ${outcome}`;
      const call = calls.get(name) ?? { endpoint, outcome, count: 0 };
      call.count++;
      calls.set(name, call);
      const sum = tokens.get(endpoint)?.usage ?? NO_USAGE;
      tokens.set(endpoint, { endpoint, usage: { input: sum.input + usage.input, output: sum.output + usage.output } });
    },
    calls: () => calls.values(),
    tokens: () => tokens.values(),
  };
}

/** The same readers, each call of which the meter counts. */
export function meterReaders({ pictures, speech }: MediaReaders, meter: ModelMeter): MediaReaders {
  const metered = <R extends { readonly usage: TokenUsage }>(reader: { read(media: Media, signal: AbortSignal): Promise<R> }) => ({
    async read(media: Media, signal: AbortSignal): Promise<R> {
      try {
        const reading = await reader.read(media, signal);
        meter.count("ingest", "answered", { input: countOf(reading.usage.input), output: countOf(reading.usage.output) });
        return reading;
      } catch (error) {
        meter.count("ingest", error instanceof ModelError ? error.failure : "cancelled", NO_USAGE);
        throw error;
      }
    },
  });
  return { pictures: pictures && metered(pictures), speech: speech && metered(speech) };
}

/**
 * 402 when the key's budget of the month is spent; to be asked before a model is called. A key without a budget, and the operator,
 * cost no look. Calls under way are not in it yet, so that a budget can be overshot by what they take.
 */
export async function requireBudget({ store, clock }: UsageDeps, actor: Actor): Promise<void> {
  if (actor.kind !== "key" || actor.budget === null) return;
  const month = monthOf(clock.now());
  const { input, output } = await store.usage.total(actor.businessId, actor.keyId, month);
  if (input + output < actor.budget) return;
  throw new AppError(
    "budget_spent",
    `This API key's budget of ${actor.budget.toLocaleString("en")} tokens for this month is spent. It begins anew on ${isoDay(month.before)} (UTC); until then use a key with a larger budget, or without one.`,
  );
}

/**
 * Notes one call of a model, of a key or of a member: for the key's budget and for the operator's figures. `outcome` is `answered` where it is not told; a
 * call that failed counts as well, with the tokens it took.
 */
export async function recordUsage(
  { store, clock, meter }: UsageDeps & Pick<Deps, "meter">,
  actor: Actor,
  call: { readonly endpoint: ModelEndpoint; readonly usage: TokenUsage; readonly outcome?: ModelOutcome },
): Promise<void> {
  const usage = { input: countOf(call.usage.input), output: countOf(call.usage.output) };
  meter.count(call.endpoint, call.outcome ?? "answered", usage);
  if (actor.kind === "operator") return;
  await store.usage.add({ businessId: actor.businessId, keyId: actorId(actor), day: dayOf(clock.now()), endpoint: call.endpoint, usage });
}

/** More than any model takes at once. */
const MAX_TOKENS = 1_000_000_000;

/** What a provider told as a whole number of tokens; anything else than a number is none. */
export const countOf = (tokens: number): number => (Number.isFinite(tokens) ? Math.round(Math.min(Math.max(tokens, 0), MAX_TOKENS)) : 0);

/** What a key used in the current month (UTC), as the interface tells it. */
export type MonthUsage = { readonly month: string; readonly calls: number; readonly inputTokens: number; readonly outputTokens: number };

/** What the key used this month. */
export async function readMonthUsage({ store, clock }: UsageDeps, businessId: string, keyId: string): Promise<MonthUsage> {
  const now = clock.now();
  return presentMonth(now, await store.usage.total(businessId, keyId, monthOf(now)));
}

/** What each key of the business used this month; a key that is not in it used nothing. */
export async function readMonthUsages({ store, clock }: UsageDeps, businessId: string): Promise<(keyId: string) => MonthUsage> {
  const now = clock.now();
  const totals = await store.usage.totals(businessId, monthOf(now));
  return (keyId) => presentMonth(now, totals.get(keyId) ?? NO_USAGE);
}

const presentMonth = (now: number, { calls, input, output }: UsageTotal): MonthUsage => ({
  month: isoDay(dayOf(now)).slice(0, 7),
  calls,
  inputTokens: input,
  outputTokens: output,
});
