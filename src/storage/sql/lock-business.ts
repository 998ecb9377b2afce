import type { Dialect } from "./driver.ts";
import { get, type Unit } from "./unit.ts";

/** Units that change what a business has once, such as its members or boards, run one after the other. */
export function* lockBusiness({ forUpdate }: Dialect, businessId: string): Unit<void> {
  if (forUpdate !== "") yield* get(`SELECT 1 FROM business WHERE id = @businessId${forUpdate}`, { businessId });
}
