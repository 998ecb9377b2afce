import { expect } from "vitest";
import type { Ingested } from "#domain/content/job.ts";
import type { TileError } from "#domain/content/tile.ts";
import type { StoreContext } from "../store-context.ts";

export const FAILURE: TileError = { code: "not_found", message: "The page does not exist.", stage: "fetch", retryable: false, attempts: 1 };

/** Claims and completes the only waiting job. */
export async function finish({ store }: Pick<StoreContext, "store">, result: Ingested, now: number): Promise<void> {
  const [job] = await store.queue.claim(1, 9, now);
  expect(await store.queue.complete(job!, result, now)).toBe(true);
}

export async function events({ store, business }: Pick<StoreContext, "store" | "business">): Promise<string[]> {
  const deliveries = await store.webhooks.deliveries(business.id, 100);
  return deliveries.map(({ event }) => event).reverse();
}
