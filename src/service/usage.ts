import { type Actor, actorId } from "#domain/core/access.ts";
import { AppError } from "#domain/core/errors/error.ts";
import type { Media, MediaReaders } from "#domain/model/media.ts";
import type { Meter } from "#domain/metrics/meter.ts";
import { ModelError, type TokenUsage } from "#domain/model/model.ts";
import { type ModelEndpoint, type ModelOutcome, NO_USAGE, type UsageTotal, toUtcDay, isoDay, toUtcMonth } from "#domain/model/usage.ts";
import type { Deps, StoreDeps } from "./deps.ts";

/** Wraps the readers so that the meter counts each call. */
export function meterReaders({ pictures, speech }: MediaReaders, meter: Pick<Meter, "countModelCall">): MediaReaders {
  const metered = <R extends { readonly usage: TokenUsage }>(reader: { read(media: Media, signal: AbortSignal): Promise<R> }) => ({
    async read(media: Media, signal: AbortSignal): Promise<R> {
      try {
        const reading = await reader.read(media, signal);
        meter.countModelCall("ingest", "answered", {
          input: toTokenCount(reading.usage.input),
          output: toTokenCount(reading.usage.output),
        });
        return reading;
      } catch (error) {
        meter.countModelCall("ingest", error instanceof ModelError ? error.failure : "cancelled", NO_USAGE);
        throw error;
      }
    },
  });
  return { pictures: pictures && metered(pictures), speech: speech && metered(speech) };
}

/**
 * Throws 402 when the key's monthly budget is spent. Call it before each model call. Running calls are not counted yet, so they can
 * exceed the budget. Keys without a budget need no database read.
 */
export async function requireBudget({ store, clock }: StoreDeps, actor: Actor): Promise<void> {
  if (actor.kind !== "key" || actor.budget === null) return;
  const month = toUtcMonth(clock.now());
  const { input, output } = await store.usage.total(actor.businessId, actor.keyId, month);
  if (input + output < actor.budget) return;
  throw new AppError(
    "budget_spent",
    `This API key's budget of ${actor.budget.toLocaleString("en")} tokens for this month is spent. It resets on ${isoDay(month.before)} (UTC). Until then, use a key with a larger budget or without one.`,
  );
}

/**
 * Records one model call of a key or a member, for the key's budget and for the metrics. `outcome` defaults to `answered`; a failed
 * call counts with the tokens it used.
 */
export async function recordUsage(
  { store, clock, meter }: StoreDeps & Pick<Deps, "meter">,
  actor: Actor,
  call: { readonly endpoint: ModelEndpoint; readonly usage: TokenUsage; readonly outcome?: ModelOutcome },
): Promise<void> {
  const usage = { input: toTokenCount(call.usage.input), output: toTokenCount(call.usage.output) };
  meter.countModelCall(call.endpoint, call.outcome ?? "answered", usage);
  if (actor.kind === "operator") return;
  await store.usage.add({
    businessId: actor.businessId,
    keyId: actorId(actor),
    day: toUtcDay(clock.now()),
    endpoint: call.endpoint,
    usage,
  });
}

/** More tokens than any model call can use. */
const MAX_TOKENS = 1_000_000_000;

/** Normalises a token count from a provider to a whole number from 0 to 1,000,000,000. Returns 0 for a value that is not finite. */
export const toTokenCount = (tokens: number): number =>
  Number.isFinite(tokens) ? Math.round(Math.min(Math.max(tokens, 0), MAX_TOKENS)) : 0;

/** The usage of a key in the current month (UTC), in the form of the API. */
export type MonthUsage = { readonly month: string; readonly calls: number; readonly inputTokens: number; readonly outputTokens: number };

/** Returns the key's usage in the current month. */
export async function readMonthUsage({ store, clock }: StoreDeps, businessId: string, keyId: string): Promise<MonthUsage> {
  const now = clock.now();
  return presentMonth(now, await store.usage.total(businessId, keyId, toUtcMonth(now)));
}

/** Returns a lookup of this month's usage by key id. Keys without usage get zeros. */
export async function readMonthUsages({ store, clock }: StoreDeps, businessId: string): Promise<(keyId: string) => MonthUsage> {
  const now = clock.now();
  const totals = await store.usage.totals(businessId, toUtcMonth(now));
  return (keyId) => presentMonth(now, totals.get(keyId) ?? NO_USAGE);
}

const presentMonth = (now: number, { calls, input, output }: UsageTotal): MonthUsage => ({
  month: isoDay(toUtcDay(now)).slice(0, 7),
  calls,
  inputTokens: input,
  outputTokens: output,
});
