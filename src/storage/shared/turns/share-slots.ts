/** What a business has running and waiting. `waiting` may be cut at the limit per business. */
export type Demand = { readonly businessId: string; readonly running: number; readonly waiting: number };

export type SlotLimits = {
  /** Slots for any business. */
  readonly limit: number;
  /** Slots beyond these, for businesses with nothing running, one each. */
  readonly reserved: number;
  readonly perBusiness: number;
};

/**
 * Shares free slots among businesses: each one goes to the business with the fewest running, among equals to the first of the list. Returns
 * how many each business gets.
 */
export function shareSlots(demands: readonly Demand[], { limit, reserved, perBusiness }: SlotLimits): Map<string, number> {
  const given = new Map<string, number>();
  for (let slot = 0; slot < limit + reserved; slot++) {
    let best: { readonly businessId: string; readonly running: number } | undefined;
    for (const { businessId, running, waiting } of demands) {
      const got = given.get(businessId) ?? 0;
      const isAllowed = got < waiting && running + got < (slot < limit ? perBusiness : Math.min(1, perBusiness));
      if (isAllowed && (best === undefined || running + got < best.running)) best = { businessId, running: running + got };
    }
    if (best === undefined) break;
    given.set(best.businessId, (given.get(best.businessId) ?? 0) + 1);
  }
  return given;
}
