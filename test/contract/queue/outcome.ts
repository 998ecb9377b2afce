import { describe, expect, it } from "vitest";
import type { Ingested } from "#domain/content/job.ts";
import type { TileError } from "#domain/content/tile.ts";
import type { EventType, TileEventPayload } from "#domain/settings/webhook.ts";
import { addBoard, ingested, linkTile, newJob, newWebhook, seedBusiness, T0 } from "../../support/boards.ts";
import { addLink, addText, withStore, type OpenStore, type StoreContext } from "../store-context.ts";

const FAILURE: TileError = { code: "not_found", message: "The page does not exist.", stage: "fetch", retryable: false, attempts: 1 };
const ALL: readonly EventType[] = ["tile.ready", "tile.failed", "tile.updated"];

/** Claims and completes the only waiting job. */
async function finish({ store }: Pick<StoreContext, "store">, result: Ingested, now: number): Promise<void> {
  const [job] = await store.queue.claim(1, 9, now);
  expect(await store.queue.complete(job!, result, now)).toBe(true);
}

async function events({ store, business }: Pick<StoreContext, "store" | "business">): Promise<string[]> {
  const deliveries = await store.webhooks.deliveries(business.id, 100);
  return deliveries.map(({ event }) => event).reverse();
}

export function describeOutcomes(open: OpenStore): void {
  describe("a completed job", () => {
    it(
      "makes the tile ready with its result, and cannot be completed again",
      withStore(open, async ({ store, business, scope }) => {
        const tile = await addLink({ store, scope }, "https://one.example/doc");
        const result: Ingested = {
          type: "PDF",
          title: "Its title",
          text: "Its text 🎉",
          metadata: { author: "A. Writer", stats: { likes: 3 } },
          warnings: [{ code: "paywall", message: "Only the start." }],
        };
        await finish({ store }, result, T0 + 5);
        expect(await store.tiles.find(business.id, tile.id)).toMatchObject({
          status: "ready",
          type: "PDF",
          title: "Its title",
          titleOverridden: false,
          extractedText: "Its text 🎉",
          rawContent: "https://one.example/doc",
          metadata: result.metadata,
          warnings: result.warnings,
          error: null,
          textOverridden: false,
          createdAt: T0,
          updatedAt: T0 + 5,
          zoneId: null,
        });
        expect(await store.queue.nextDue()).toBeNull();
        expect(await store.tiles.counts()).toEqual({ processing: 0, indexPending: 1 });
      }),
    );

    it(
      "stores the segments of a transcript until the text changes",
      withStore(open, async ({ store, business, scope }) => {
        const tile = await addLink({ store, scope }, "https://one.example/video");
        expect(tile.segments).toEqual([]);
        const segments = [
          { start: 0, end: 5, seconds: 0.4 },
          { start: 6, end: 11, seconds: 3_600.25 },
        ];
        await finish({ store }, ingested("First then.", { segments }), T0 + 1);
        expect((await store.tiles.find(business.id, tile.id))?.segments).toEqual(segments);
        expect(await store.tiles.findSegments(business.id, tile.id)).toEqual(segments);
        expect(await store.tiles.findSegments("biz_other", tile.id)).toEqual([]);
        await store.tiles.update(scope, tile.id, { title: "By hand" }, T0 + 2);
        expect((await store.tiles.find(business.id, tile.id))?.segments).toEqual(segments);
        const other = await addText({ store, scope }, "Second then.", { segments });
        await store.tiles.remove(scope, other.id, T0 + 3);
        expect(await store.tiles.findSegments(business.id, other.id)).toEqual([]);
        await store.tiles.update(scope, tile.id, { content: "By hand" }, T0 + 3);
        expect((await store.tiles.find(business.id, tile.id))?.segments).toEqual([]);
        expect(await store.tiles.findSegments(business.id, tile.id)).toEqual([]);
      }),
    );

    it(
      "that failed keeps an existing text with a warning, and the tile is indexed again",
      withStore(open, async ({ store, business, scope }) => {
        const tile = await addLink({ store, scope }, "https://one.example/page");
        await finish({ store }, ingested("Words", { warnings: [{ code: "paywall", message: "Only the start." }] }), T0 + 1);
        for (const now of [T0 + 2, T0 + 5]) {
          await store.tiles.retry(scope, tile.id, newJob(), now);
          const [job] = await store.queue.claim(1, 1, now);
          expect(await store.queue.fail(job!, FAILURE, now + 1)).toBe(true);
          expect(await store.tiles.find(business.id, tile.id)).toMatchObject({
            status: "ready",
            extractedText: "Words",
            error: null,
            warnings: [{ code: "paywall" }, { code: "refresh_failed", message: expect.stringContaining(FAILURE.message) }],
          });
          expect(await store.tiles.counts()).toEqual({ processing: 0, indexPending: 1 });
        }
        expect(await events({ store, business })).toEqual([]);
      }),
    );

    it(
      "of a refresh keeps the previous text if the text changed",
      withStore(open, async ({ store, business, scope }) => {
        const tile = await addLink({ store, scope }, "https://one.example/page");
        const refresh = async (text: string, now: number): Promise<unknown> => {
          await store.tiles.retry(scope, tile.id, newJob(), now);
          await finish({ store }, ingested(text), now + 1);
          return (await store.tiles.find(business.id, tile.id))?.previousText;
        };
        await finish({ store }, ingested("One"), T0 + 1);
        expect((await store.tiles.find(business.id, tile.id))?.previousText).toBeNull();
        expect(await refresh("One", T0 + 2)).toBeNull();
        expect(await refresh("Two", T0 + 4)).toEqual({ text: "One", until: T0 + 5 });
        expect(await refresh("Two", T0 + 6)).toEqual({ text: "One", until: T0 + 5 });
        expect(await refresh("Three", T0 + 8)).toEqual({ text: "Two", until: T0 + 9 });
      }),
    );

    it(
      "never replaces an edited title, nor a title by an empty one",
      withStore(open, async ({ store, business, scope }) => {
        const named = await addLink({ store, scope }, "https://one.example/", { title: "By hand", titleOverridden: true });
        await finish({ store }, ingested("Text", { title: "Page title" }), T0 + 1);
        const untitled = await addLink({ store, scope }, "https://two.example/");
        await finish({ store }, ingested("Text", { title: null }), T0 + 2);
        expect(await store.tiles.find(business.id, named.id)).toMatchObject({ title: "By hand", titleOverridden: true });
        expect(await store.tiles.find(business.id, untitled.id)).toMatchObject({ title: "https://two.example/" });
      }),
    );

    it(
      "that failed makes the tile failed, with the reason",
      withStore(open, async ({ store, business, scope }) => {
        const tile = await addLink({ store, scope }, "https://one.example/");
        const [job] = await store.queue.claim(1, 1, T0);
        expect(await store.queue.fail(job!, FAILURE, T0 + 1)).toBe(true);
        expect(await store.tiles.find(business.id, tile.id)).toMatchObject({
          status: "failed",
          error: FAILURE,
          extractedText: "",
          updatedAt: T0 + 1,
        });
        expect(await store.queue.nextDue()).toBeNull();
      }),
    );
  });

  describe("tile events", () => {
    it(
      "report a ready tile exactly once, to the current webhook, and notify the sender",
      withStore(open, async (context) => {
        const { store, business, board, scope } = context;
        const webhook = newWebhook(business.id);
        await store.webhooks.put(webhook, "operator");
        let woken = 0;
        store.webhooks.onDelivery(() => woken++);
        const tile = await addLink({ store, scope }, "https://one.example/");
        expect(await events(context)).toEqual([]);
        await finish(context, ingested("Text", { title: "Title", type: "PDF" }), T0 + 5);
        expect(woken).toBeGreaterThan(0);
        const [delivery, ...others] = await store.webhooks.deliveries(business.id, 9);
        expect(others).toEqual([]);
        expect(delivery).toMatchObject({
          webhookId: webhook.id,
          url: webhook.url,
          event: "tile.ready",
          status: "pending",
          createdAt: T0 + 5,
        });
        const payload: TileEventPayload = { tileId: tile.id, boardId: board.id, title: "Title", type: "PDF" };
        expect(JSON.parse(delivery!.payload)).toEqual(payload);
        await store.tiles.retry(scope, tile.id, newJob(), T0 + 6);
        await finish(context, ingested("Other text", { title: "Other title" }), T0 + 7);
        await addText({ store, scope }, "A text tile tells of nothing");
        expect(await events(context)).toEqual(["tile.ready"]);
      }),
    );

    it(
      "report a later refresh only if enabled and if something changed",
      withStore(open, async (context) => {
        const { store, business, scope } = context;
        await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
        const tile = await addLink({ store, scope }, "https://one.example/");
        const rounds: readonly Ingested[] = [
          ingested("Text"),
          ingested("Text"),
          ingested("Other text"),
          ingested("Other text", { title: "Other title" }),
          ingested("Other text", { title: "Other title" }),
        ];
        for (const [i, round] of rounds.entries()) {
          if (i > 0) await store.tiles.retry(scope, tile.id, newJob(), T0 + i);
          await finish(context, round, T0 + i);
        }
        expect(await events(context)).toEqual(["tile.ready", "tile.updated", "tile.updated"]);
      }),
    );

    it(
      "report a tile that becomes ready only after failure, deletion and restoration",
      withStore(open, async (context) => {
        const { store, business, scope } = context;
        await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
        const tile = await addLink({ store, scope }, "https://one.example/");
        const [job] = await store.queue.claim(1, 1, T0);
        await store.queue.fail(job!, FAILURE, T0 + 1);
        await store.tiles.retry(scope, tile.id, newJob(), T0 + 2);
        await store.tiles.remove(scope, tile.id, T0 + 3);
        await store.tiles.restore(scope, tile.id, newJob(), T0 + 4);
        await finish(context, ingested("Text"), T0 + 5);
        expect(await events(context)).toEqual(["tile.failed", "tile.ready"]);
      }),
    );

    it(
      "report a changed link of a tile as a refresh",
      withStore(open, async (context) => {
        const { store, business, scope } = context;
        await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
        await addLink({ store, scope }, "https://one.example/", { externalId: "a" });
        await finish(context, ingested("Text"), T0 + 1);
        await store.tiles.create(scope, linkTile("https://two.example/", { externalId: "a" }), T0 + 2);
        await finish(context, ingested("Other text"), T0 + 3);
        expect(await events(context)).toEqual(["tile.ready", "tile.updated"]);
      }),
    );

    it(
      "of failures are off until enabled",
      withStore(open, async (context) => {
        const { store, business, scope } = context;
        await store.webhooks.put(newWebhook(business.id), "operator");
        await addLink({ store, scope }, "https://one.example/");
        const [job] = await store.queue.claim(1, 1, T0);
        await store.queue.fail(job!, FAILURE, T0 + 1);
        expect(await events(context)).toEqual([]);
      }),
    );

    it(
      "are not sent for tiles that were deleted or edited meanwhile, nor on a deleted board",
      withStore(open, async (context) => {
        const { store, business, scope, manage } = context;
        await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
        const second = await addBoard(store, manage);
        const deleted = await addLink({ store, scope }, "https://one.example/");
        const byHand = await addLink({ store, scope }, "https://two.example/");
        await addLink({ store, scope: second.scope }, "https://three.example/");
        await addLink({ store, scope: second.scope }, "https://four.example/");
        const jobs = await store.queue.claim(4, 1, T0);
        await store.tiles.remove(scope, deleted.id, T0 + 1);
        await store.tiles.update(scope, byHand.id, { content: "By hand" }, T0 + 1);
        await store.boards.remove(second.scope, T0 + 1);
        for (const job of jobs.slice(0, 3)) await store.queue.complete(job, ingested("Text"), T0 + 2);
        await store.queue.fail(jobs[3]!, FAILURE, T0 + 2);
        expect(await events(context)).toEqual([]);
      }),
    );

    it(
      "are sent to the webhook of their own business only",
      withStore(open, async (context) => {
        const { store, business, scope } = context;
        const other = await seedBusiness(store, "Other Lab");
        await store.webhooks.put(newWebhook(other.business.id, { events: ALL }), "operator");
        await addLink({ store, scope }, "https://one.example/");
        await finish(context, ingested("Text"), T0 + 1);
        await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
        expect(await events(context)).toEqual([]);
        expect(await events({ store, business: other.business })).toEqual([]);
      }),
    );
  });
}
