import type { DeliveryCursor, DeliveryFilter } from "#domain/events/delivery.ts";
import type { HttpDeps } from "../route.ts";
import { presentDeliverySummary } from "../wire/events/delivery.ts";

const DEFAULT_PAGE_SIZE = 50;

type Page = { readonly limit?: number; readonly cursor?: string };

/** Returns a page of the delivery log of a receiver, newest first. */
export async function readDeliveryPage({ cursors, store }: HttpDeps, businessId: string, filter: DeliveryFilter, page: Page) {
  const listing = `deliveries ${businessId} ${JSON.stringify(filter)}`;
  const after = page.cursor === undefined ? null : (cursors.read(listing, page.cursor) as unknown as DeliveryCursor);
  const { deliveries, next } = await store.webhooks.deliveryPage(businessId, page.limit ?? DEFAULT_PAGE_SIZE, after, filter);
  return { deliveries: deliveries.map(presentDeliverySummary), nextCursor: next === null ? null : cursors.write(listing, next) };
}
