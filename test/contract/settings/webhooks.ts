import { describe, expect, it } from "vitest";
import type { Store } from "#domain/store.ts";
import { newId } from "#domain/core/system.ts";
import type { Delivery, DeliveryOutcome, DeliveryCursor, Webhook } from "#domain/settings/webhook.ts";
import { newWebhook, seedBusiness, T0 } from "../../support/boards.ts";
import { withStore, type OpenStore } from "../store-context.ts";

const SEND_MS = 1_000;
const SUCCESS: DeliveryOutcome = { ok: true, responseStatus: 204, responseStart: "", error: null, durationMs: 12.6 };
const FAILURE: DeliveryOutcome = { ok: false, responseStatus: 500, responseStart: "Oops", error: "It answered 500.", durationMs: 3 };

async function recordDelivery(store: Store, webhook: Webhook, createdAt = T0): Promise<string> {
  const id = newId("dlv", createdAt);
  const { businessId, id: webhookId, url } = webhook;
  await store.webhooks.record({ id, businessId, webhookId, event: "tile.ready", url, payload: "{}", createdAt }, "operator");
  return id;
}

const statuses = async (store: Store, businessId: string): Promise<string[]> =>
  (await store.webhooks.deliveries(businessId, 100)).map(({ status }) => status).sort();

export function describeWebhooks(open: OpenStore): void {
  describe("a webhook", () => {
    it(
      "is set, changed and removed for its own business, with entries in the audit log",
      withStore(open, async ({ store, business }) => {
        const other = await seedBusiness(store, "Other Lab");
        expect(await store.webhooks.find(business.id)).toBeNull();
        const webhook = newWebhook(business.id, { sealedPrevious: "before", previousUntil: T0 + 9, events: ["tile.ready", "tile.failed"] });
        expect(await store.webhooks.put(webhook, "operator")).toEqual(webhook);
        expect(await store.webhooks.find(business.id)).toEqual(webhook);
        const changed = { ...webhook, url: "https://other.example/", sealedSecret: "new", updatedAt: T0 + 1 };
        await store.webhooks.put(changed, "operator", "webhook.rotate");
        expect(await store.webhooks.find(business.id)).toEqual(changed);
        expect(await store.webhooks.find(other.business.id)).toBeNull();
        expect(await store.webhooks.clear(other.business.id, "operator", T0 + 2)).toBe(false);
        expect(await store.webhooks.clear(business.id, "operator", T0 + 3)).toBe(true);
        expect(await store.webhooks.clear(business.id, "operator", T0 + 4)).toBe(false);
        expect(await store.webhooks.find(business.id)).toBeNull();
        expect((await store.auditPage(business.id, 10, null)).entries.map(({ action, at }) => [action, at])).toEqual([
          ["webhook.clear", T0 + 3],
          ["webhook.rotate", T0 + 1],
          ["webhook.set", T0],
        ]);
        expect((await store.auditPage(other.business.id, 10, null)).entries).toEqual([]);
      }),
    );

    it(
      "that is set again at its address keeps its id, for which events wait, and has another id at another address",
      withStore(open, async ({ store, business }) => {
        const first = await store.webhooks.put(newWebhook(business.id), "operator");
        const waiting = await recordDelivery(store, first);
        const again = newWebhook(business.id, { sealedSecret: "new", createdAt: T0 + 1, updatedAt: T0 + 1 });
        const kept = { ...again, id: first.id, createdAt: T0 };
        expect(await store.webhooks.put(again, "operator")).toEqual(kept);
        expect(await store.webhooks.find(business.id)).toEqual(kept);
        expect(await store.webhooks.delivery(business.id, waiting)).toMatchObject({ status: "pending", webhookId: kept.id });
        const elsewhere = newWebhook(business.id, { id: newId("whk", T0 + 2), url: "https://other.example/" });
        expect(await store.webhooks.put(elsewhere, "operator")).toEqual(elsewhere);
        expect(await store.webhooks.find(business.id)).toEqual(elsewhere);
      }),
    );

    it(
      "can change its address and events, and keeps its secrets",
      withStore(open, async ({ store, business }) => {
        const other = await seedBusiness(store, "Other Lab");
        expect(await store.webhooks.update(business.id, { events: [] }, "operator", T0)).toBeNull();
        const webhook = newWebhook(business.id, { sealedPrevious: "before", previousUntil: T0 + 9 });
        await store.webhooks.put(webhook, "operator");
        expect(await store.webhooks.update(business.id, {}, "operator", T0 + 1)).toEqual(webhook);
        const moved = { ...webhook, url: "https://other.example/", updatedAt: T0 + 2 };
        expect(await store.webhooks.update(business.id, { url: moved.url }, "operator", T0 + 2)).toEqual(moved);
        const quiet = { ...moved, events: [], updatedAt: T0 + 3 };
        expect(await store.webhooks.update(business.id, { events: [] }, "operator", T0 + 3)).toEqual(quiet);
        expect(await store.webhooks.update(other.business.id, { url: "https://theirs.example/" }, "operator", T0 + 4)).toBeNull();
        expect(await store.webhooks.find(business.id)).toEqual(quiet);
        expect((await store.auditPage(business.id, 10, null)).entries.map(({ action, at }) => [action, at])).toEqual([
          ["webhook.update", T0 + 3],
          ["webhook.update", T0 + 2],
          ["webhook.set", T0],
        ]);
      }),
    );

    it(
      "has a delivery again that was claimed and not sent",
      withStore(open, async ({ store, business }) => {
        const webhook = newWebhook(business.id);
        await store.webhooks.put(webhook, "operator");
        const id = await recordDelivery(store, webhook);
        const [claimed] = await store.webhooks.claim(1, 1, SEND_MS, T0 + 1);
        await store.webhooks.returnToQueue(claimed!);
        const [again] = await store.webhooks.claim(1, 1, SEND_MS, T0 + 2);
        expect(again).toMatchObject({ id, status: "sending" });
        await store.webhooks.recordOutcome(again!, "{}", T0 + 3, SUCCESS);
        await store.webhooks.returnToQueue(again!);
        expect(await statuses(store, business.id)).toEqual(["succeeded"]);
      }),
    );

    it(
      "that is removed fails pending deliveries with the reason; running ones may complete",
      withStore(open, async ({ store, business }) => {
        const other = await seedBusiness(store, "Other Lab");
        const webhook = newWebhook(business.id);
        const foreign = newWebhook(other.business.id);
        await store.webhooks.put(webhook, "operator");
        await store.webhooks.put(foreign, "operator");
        const first = await recordDelivery(store, webhook);
        const [sending] = await store.webhooks.claim(1, 1, SEND_MS, T0 + 20);
        const waiting = await recordDelivery(store, webhook, T0 + 1);
        const elsewhere = await recordDelivery(store, foreign, T0 + 2);
        await store.webhooks.clear(business.id, "operator", T0 + 3);
        expect(await store.webhooks.delivery(business.id, waiting)).toMatchObject({
          status: "failed",
          error: expect.stringMatching(/removed/),
        });
        expect((await store.webhooks.claim(9, 9, SEND_MS, T0 + 20)).map(({ id }) => id)).toEqual([elsewhere]);
        await store.webhooks.recordOutcome(sending!, "{}", T0 + 4, SUCCESS);
        expect(await store.webhooks.delivery(business.id, first)).toMatchObject({ status: "succeeded" });
      }),
    );
  });

  describe("deliveries", () => {
    it(
      "that were closed keep their outcome",
      withStore(open, async ({ store, business }) => {
        const webhook = newWebhook(business.id);
        await store.webhooks.put(webhook, "operator");
        const id = await recordDelivery(store, webhook);
        const [claimed] = await store.webhooks.claim(1, 1, SEND_MS, T0);
        expect(await store.webhooks.recordOutcome(claimed!, "{}", T0 + 1, SUCCESS)).toBe(true);
        const closed = await store.webhooks.delivery(business.id, id);
        expect(await store.webhooks.recordOutcome(claimed!, "{}", T0 + 2, FAILURE)).toBe(false);
        expect(await store.webhooks.delivery(business.id, id)).toEqual(closed);
        const waiting = await recordDelivery(store, webhook, T0 + 3);
        expect(await store.webhooks.recordOutcome({ ...claimed!, id: waiting }, "{}", T0 + 4, FAILURE)).toBe(false);
        expect(await store.webhooks.delivery(business.id, waiting)).toMatchObject({ status: "pending" });
      }),
    );

    it(
      "are logged newest first, for their own business",
      withStore(open, async ({ store, business }) => {
        const other = await seedBusiness(store, "Other Lab");
        const webhook = newWebhook(business.id);
        const ids: string[] = [];
        for (const at of [T0, T0 + 2, T0 + 2, T0 + 1]) ids.push(await recordDelivery(store, webhook, at));
        const expected: Partial<Delivery> = {
          businessId: business.id,
          webhookId: webhook.id,
          event: "tile.ready",
          url: webhook.url,
          payload: "{}",
          status: "pending",
          body: null,
          responseStatus: null,
          responseStart: null,
          error: null,
          durationMs: null,
          sentAt: null,
        };
        expect(await store.webhooks.deliveries(business.id, 10)).toMatchObject([2, 1, 3, 0].map((i) => ({ ...expected, id: ids[i]! })));
        expect(await store.webhooks.deliveries(business.id, 1)).toMatchObject([{ id: ids[2] }]);
        expect(await store.webhooks.delivery(business.id, ids[0]!)).toMatchObject({ id: ids[0], createdAt: T0 });
        expect(await store.webhooks.delivery(other.business.id, ids[0]!)).toBeNull();
        expect(await store.webhooks.deliveries(other.business.id, 10)).toEqual([]);
      }),
    );

    it(
      "are paged newest first, without gaps or duplicates, also with equal times and new deliveries",
      withStore(open, async ({ store, business }) => {
        const other = await seedBusiness(store, "Other Lab");
        const webhook = newWebhook(business.id);
        const ids: string[] = [];
        for (const at of [T0, T0 + 1, T0 + 1, T0 + 1, T0 + 2]) ids.push(await recordDelivery(store, webhook, at));
        await recordDelivery(store, newWebhook(other.business.id), T0 + 1);
        const seen: string[] = [];
        let after: DeliveryCursor | null = null;
        for (const size of [2, 2, 1]) {
          const page = await store.webhooks.deliveryPage(business.id, 2, after);
          expect(page.deliveries).toHaveLength(size);
          for (const row of page.deliveries)
            for (const field of ["body", "payload", "responseStart"]) expect(row).not.toHaveProperty(field);
          seen.push(...page.deliveries.map(({ id }) => id));
          after = page.next;
          await recordDelivery(store, webhook, T0 + 9);
        }
        expect(after).toBeNull();
        expect(seen).toEqual([4, 3, 2, 1, 0].map((i) => ids[i]));
      }),
    );

    it(
      "are claimed oldest first, each once, up to the limit and of one business",
      withStore(open, async ({ store, business }) => {
        const other = await seedBusiness(store, "Other Lab");
        const webhook = newWebhook(business.id);
        const ids: string[] = [];
        for (let i = 0; i < 5; i++) ids.push(await recordDelivery(store, webhook, T0 + i));
        const foreign = await recordDelivery(store, newWebhook(other.business.id), T0 + 9);
        expect(await store.webhooks.claim(0, 2, SEND_MS, T0 + 20)).toEqual([]);
        const [alone] = await store.webhooks.claim(1, 2, SEND_MS, T0 + 20);
        expect(alone).toMatchObject({ id: ids[0] });
        expect((await store.webhooks.claim(9, 2, SEND_MS, T0 + 20)).map(({ id }) => id)).toEqual([ids[1], foreign]);
        expect(await store.webhooks.claim(9, 2, SEND_MS, T0 + 20)).toEqual([]);
        await store.webhooks.recordOutcome(alone!, "{}", T0 + 10, FAILURE);
        expect((await store.webhooks.claim(9, 2, SEND_MS, T0 + 20)).map(({ id }) => id)).toEqual([ids[2]]);
        expect(await store.webhooks.delivery(business.id, ids[2]!)).toMatchObject({ status: "sending" });
      }),
    );

    it(
      "are claimed for the business with the fewest being sent, and beyond the limit for those with none",
      withStore(open, async ({ store, business }) => {
        const [second, third] = [await seedBusiness(store, "Second"), await seedBusiness(store, "Third")];
        for (let i = 0; i < 20; i++) await recordDelivery(store, newWebhook(business.id), T0 + i);
        const claim = async (limit: number, reserved: number): Promise<string[]> =>
          (await store.webhooks.claim(limit, 8, SEND_MS, T0 + 50, reserved)).map(({ businessId }) => businessId);
        const [many, two, three] = [business.id, second.business.id, third.business.id];
        expect(await claim(3, 0)).toEqual([many, many, many]);
        expect(await claim(0, 5)).toEqual([]);
        for (let i = 0; i < 3; i++) await recordDelivery(store, newWebhook(two), T0 + 30 + i);
        expect(await claim(0, 5)).toEqual([two]);
        for (let i = 0; i < 2; i++) await recordDelivery(store, newWebhook(three), T0 + 40 + i);
        expect(await claim(3, 0)).toEqual([two, three, three]);
        expect(await claim(9, 0)).toEqual([many, many, many, many, many, two]);
      }),
    );

    it(
      "are never claimed twice by concurrent claims",
      withStore(open, async ({ store, business }) => {
        const webhook = newWebhook(business.id);
        for (let i = 0; i < 20; i++) await recordDelivery(store, webhook, T0 + i);
        const claims = await Promise.all(Array.from({ length: 8 }, () => store.webhooks.claim(4, 100, SEND_MS, T0 + 20)));
        const ids = claims.flat().map(({ id }) => id);
        expect(ids).toHaveLength(20);
        expect(new Set(ids).size).toBe(20);
      }),
    );

    it(
      "are completed with the exact body and the result",
      withStore(open, async ({ store, business }) => {
        const webhook = newWebhook(business.id);
        for (const [at, outcome] of [
          [T0, SUCCESS],
          [T0 + 1, FAILURE],
        ] as const) {
          const id = await recordDelivery(store, webhook, at);
          const [claimed] = await store.webhooks.claim(1, 1, SEND_MS, T0 + 20);
          await store.webhooks.recordOutcome(claimed!, '{"event":"🎉"}', T0 + 5, outcome);
          expect(await store.webhooks.delivery(business.id, id)).toMatchObject({
            status: outcome.ok ? "succeeded" : "failed",
            body: '{"event":"🎉"}',
            sentAt: T0 + 5,
            responseStatus: outcome.responseStatus,
            responseStart: outcome.responseStart,
            error: outcome.error,
            durationMs: Math.round(outcome.durationMs),
          });
        }
        expect(await store.webhooks.claim(9, 9, SEND_MS, T0 + 20)).toEqual([]);
      }),
    );

    it(
      "interrupted by a crash are closed and never repeated; pending ones stay pending",
      withStore(open, async ({ store, business }) => {
        const webhook = newWebhook(business.id);
        const half = await recordDelivery(store, webhook, T0);
        await store.webhooks.claim(1, 1, SEND_MS, T0 + 20);
        const waiting = await recordDelivery(store, webhook, T0 + 1);
        expect(await store.webhooks.recover(T0 + 21 + SEND_MS)).toBe(1);
        expect(await store.webhooks.delivery(business.id, half)).toMatchObject({
          status: "failed",
          error: expect.stringMatching(/may have arrived/),
        });
        expect((await store.webhooks.claim(9, 9, SEND_MS, T0 + 20)).map(({ id }) => id)).toEqual([waiting]);
        expect(await store.webhooks.recover(T0 + 21 + SEND_MS)).toBe(1);
        expect(await store.webhooks.recover(T0 + 21 + SEND_MS)).toBe(0);
        expect(await statuses(store, business.id)).toEqual(["failed", "failed"]);
      }),
    );

    it(
      "that ended before the purge time are erased in steps; later, pending and running ones stay",
      withStore(open, async ({ store, business }) => {
        const other = await seedBusiness(store, "Other Lab");
        const [webhook, foreign] = [newWebhook(business.id), newWebhook(other.business.id)];
        await store.webhooks.put(webhook, "operator");
        await store.webhooks.put(foreign, "operator");
        const end = async (of: Webhook, createdAt: number, outcome: DeliveryOutcome): Promise<void> => {
          await recordDelivery(store, of, createdAt);
          const [delivery] = await store.webhooks.claim(1, 2, SEND_MS, createdAt);
          await store.webhooks.recordOutcome(delivery as Delivery, "{}", createdAt, outcome);
        };
        await end(webhook, T0, SUCCESS);
        await end(webhook, T0 + 1, FAILURE);
        await end(foreign, T0 + 2, SUCCESS);
        await end(webhook, T0 + 100, SUCCESS);
        await recordDelivery(store, webhook, T0 + 3);
        await store.webhooks.claim(1, 2, SEND_MS, T0 + 101);
        await recordDelivery(store, webhook, T0 + 4);
        expect(await store.purge(T0 + 50, T0 + 101)).toBe(3);
        expect(await statuses(store, business.id)).toEqual(["pending", "sending", "succeeded"]);
        expect(await statuses(store, other.business.id)).toEqual([]);
        expect(await store.purge(T0 + 50, T0 + 102)).toBe(0);
      }),
    );

    it(
      "notify the sender once recorded, until it unsubscribes",
      withStore(open, async ({ store, business }) => {
        const webhook = newWebhook(business.id);
        const seen: Promise<string[]>[] = [];
        const stop = store.webhooks.onDelivery(() => seen.push(statuses(store, business.id)));
        await recordDelivery(store, webhook);
        stop();
        expect(await Promise.all(seen)).toEqual([["pending"]]);
        await recordDelivery(store, webhook);
        expect(seen).toHaveLength(1);
      }),
    );
  });
}
