import { describe, expect, it } from "vitest";
import { GENERATION_LEASE_MS } from "#domain/answers/generation.ts";
import { newId } from "#domain/core/system.ts";
import { addBoard, getCreated, newWebhook, newZone, seedBusiness, T0, textTile } from "../../support/boards.ts";
import { expectRejection, withStore, type OpenStore } from "../store-context.ts";
import { DAY, DOWN, ALL, startGeneration, draftResult, events } from "./draft-generations.ts";

export function describeGenerations(open: OpenStore): void {
  describe("a generation", () => {
    it(
      "is processing from the start, and is found by its own business only",
      withStore(open, async (context) => {
        const { store, business, board } = context;
        const other = await seedBusiness(store, "Other Lab");
        const { generation } = await startGeneration(context);
        expect(generation).toEqual({
          id: generation.id,
          businessId: business.id,
          boardId: board.id,
          endpoint: "/api/v1/generate",
          assetType: "video",
          status: "processing",
          title: null,
          savedTileId: null,
          error: null,
          createdAt: T0,
          updatedAt: T0,
          request: { prompt: "Tides 🌊", assetType: "video" },
          result: null,
        });
        expect(await store.generations.find(business.id, generation.id)).toEqual(generation);
        expect(await store.generations.find(other.business.id, generation.id)).toBeNull();
        expect(await store.generations.find(business.id, "gen_nobody")).toBeNull();
      }),
    );

    it(
      "completes with its result, tile and event in one commit, and only once",
      withStore(open, async (context) => {
        const { store, business, board, scope } = context;
        await store.webhooks.put(newWebhook(business.id), "operator");
        const zone = getCreated(await store.zones.create(scope, newZone("Results"), T0));
        const { generation, held } = await startGeneration(context);
        const tile = textTile("# High tide", { title: "High tide", zoneId: zone.id });
        const revision = (await store.boards.revisions(board)).content;
        const done = await store.generations.complete(held, draftResult, tile, T0 + 5);
        const expected = {
          ...generation,
          status: "complete",
          title: "High tide",
          savedTileId: tile.id,
          result: draftResult,
          updatedAt: T0 + 5,
        };
        expect(done).toEqual(expected);
        expect(await store.generations.find(business.id, generation.id)).toEqual(expected);
        expect(await store.tiles.find(business.id, tile.id)).toMatchObject({ zoneId: zone.id, status: "ready", title: "High tide" });
        expect((await store.boards.revisions(board)).content).not.toBe(revision);
        const payload = { generationId: generation.id, boardId: board.id, endpoint: "/api/v1/generate", assetType: "video" };
        expect(await events(store, business.id)).toEqual([["generation.complete", payload]]);

        expect(await store.generations.complete(held, draftResult, textTile("Again"), T0 + 6)).toBeNull();
        expect(await store.generations.fail(held, DOWN, T0 + 6)).toBeNull();
        await expectRejection(store.generations.cancel(scope, generation.id, T0 + 6), "conflict");
        expect(await events(store, business.id)).toHaveLength(1);
        expect(await store.tiles.counts()).toMatchObject({ indexPending: 1 });
      }),
    );

    it(
      "is stored completely or not at all if its zone or board was deleted",
      withStore(open, async (context) => {
        const { store, business, manage, scope } = context;
        await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
        const zone = getCreated(await store.zones.create(scope, newZone("Results"), T0));
        const { held } = await startGeneration(context);
        await store.zones.remove(scope, zone.id, T0 + 1);
        const tile = textTile("Nowhere", { zoneId: zone.id });
        await expectRejection(store.generations.complete(held, draftResult, tile, T0 + 2), "invalid");
        expect(await store.tiles.find(business.id, tile.id)).toBeNull();
        expect(await store.generations.find(business.id, held.id)).toMatchObject({ status: "processing", result: null });
        expect(await store.generations.complete(held, draftResult, null, T0 + 3)).toMatchObject({ status: "complete", savedTileId: null });

        const second = await addBoard(store, manage);
        const { held: gone } = await startGeneration({ store, scope: second.scope });
        await store.boards.remove(second.scope, T0 + 4);
        await expectRejection(store.generations.complete(gone, draftResult, textTile("Nowhere"), T0 + 5), "not_found");
        expect(await store.generations.complete(gone, draftResult, null, T0 + 6)).toMatchObject({ status: "complete" });
        expect(await store.generations.find(business.id, gone.id)).toBeNull();
        await expectRejection(startGeneration({ store, scope: second.scope }), "not_found");
        // A deleted board records no events.
        expect(await events(store, business.id)).toHaveLength(1);
      }),
    );

    it(
      "has the reason when it fails, and an event if that is enabled",
      withStore(open, async (context) => {
        const { store, business, board } = context;
        await store.webhooks.put(newWebhook(business.id), "operator");
        const quiet = await startGeneration(context);
        await store.generations.fail(quiet.held, DOWN, T0 + 1);
        expect(await events(store, business.id)).toEqual([]);
        await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
        const { held, generation } = await startGeneration(context, { endpoint: "/api/v1/idea", assetType: null, request: {} });
        expect(await store.generations.fail(held, DOWN, T0 + 2)).toEqual({
          ...generation,
          status: "failed",
          error: DOWN,
          updatedAt: T0 + 2,
        });
        expect(await store.generations.complete(held, draftResult, null, T0 + 3)).toBeNull();
        const payload = { generationId: generation.id, boardId: board.id, endpoint: "/api/v1/idea" };
        expect(await events(store, business.id)).toEqual([["generation.failed", payload]]);
      }),
    );

    it(
      "stays cancelled without an event, and cannot be cancelled on another board or after its end",
      withStore(open, async (context) => {
        const { store, business, manage, scope } = context;
        await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
        const { held, generation } = await startGeneration(context);
        const second = await addBoard(store, manage);
        await expectRejection(store.generations.cancel(second.scope, generation.id, T0 + 1), "not_found");
        await expectRejection(store.generations.cancel(scope, "gen_nobody", T0 + 1), "not_found");
        expect(await store.generations.cancel(scope, generation.id, T0 + 2)).toEqual({
          ...generation,
          status: "cancelled",
          updatedAt: T0 + 2,
        });
        expect(await store.generations.renew([held], T0 + 3)).toEqual(new Set());
        expect(await store.generations.complete(held, draftResult, textTile("Too late"), T0 + 3)).toBeNull();
        expect(await store.generations.expire(T0 + DAY)).toBe(0);
        await expectRejection(store.generations.cancel(scope, generation.id, T0 + 4), "conflict");
        expect(await events(store, business.id)).toEqual([]);
        expect(await store.tiles.counts()).toMatchObject({ indexPending: 0 });
      }),
    );

    it(
      "ends once if a cancellation, a completion and an expired lease coincide",
      withStore(open, async (context) => {
        const { store, business, scope } = context;
        await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
        const late = T0 + GENERATION_LEASE_MS + 1;
        for (let round = 0; round < 8; round++) {
          const { held } = await startGeneration(context);
          const tile = textTile(`Round ${round}`);
          const ends = [
            () => store.generations.complete(held, draftResult, tile, late),
            () => store.generations.expire(late),
            () => store.generations.cancel(scope, held.id, late),
            () => store.generations.complete(held, draftResult, { ...tile, id: newId("til", T0) }, late),
          ];
          // Each of them is first in one round.
          await Promise.allSettled(ends.map((_, i) => ends[(i + round) % ends.length]!()));
          const { status, savedTileId } = (await store.generations.find(business.id, held.id))!;
          expect(["complete", "failed", "cancelled"]).toContain(status);
          expect(savedTileId === null).toBe(status !== "complete");
        }
        const ended = (await store.generations.list(context.manage, {}, null, 100)).map(({ status }) => status);
        const told = (await events(store, business.id)).map((event) => (event as [string])[0]);
        expect(told.filter((event) => event === "generation.complete")).toHaveLength(
          ended.filter((status) => status === "complete").length,
        );
        expect(told.filter((event) => event === "generation.failed")).toHaveLength(ended.filter((status) => status === "failed").length);
        const tiles = (await store.tiles.list(scope, { order: "asc", withText: false }, null, 100, 1_000)).tiles;
        expect(tiles).toHaveLength(ended.filter((status) => status === "complete").length);
      }),
    );
  });

  describe("the lease of a generation", () => {
    it(
      "is renewed by its holder, and fails the generation when it expires",
      withStore(open, async (context) => {
        const { store, business, board } = context;
        await store.webhooks.put(newWebhook(business.id, { events: ALL }), "operator");
        const kept = await startGeneration(context);
        const lost = await startGeneration(context);
        const half = T0 + GENERATION_LEASE_MS / 2;
        expect(await store.generations.renew([kept.held, { ...lost.held, lease: "another" }], half)).toEqual(new Set([kept.held.id]));
        expect(await store.generations.expire(T0 + GENERATION_LEASE_MS)).toBe(0);
        expect(await store.generations.expire(T0 + GENERATION_LEASE_MS + 1)).toBe(1);
        expect(await store.generations.find(business.id, lost.held.id)).toMatchObject({
          status: "failed",
          error: { code: "interrupted", message: expect.stringMatching(/^[A-Z].*\.$/) },
        });
        expect(await store.generations.find(business.id, kept.held.id)).toMatchObject({ status: "processing" });
        const payload = { generationId: lost.held.id, boardId: board.id, endpoint: "/api/v1/generate", assetType: "video" };
        expect(await events(store, business.id)).toEqual([["generation.failed", payload]]);
        expect(await store.generations.complete(lost.held, draftResult, null, half)).toBeNull();
        expect(await store.generations.complete({ ...kept.held, lease: "another" }, draftResult, null, half)).toBeNull();
        expect(await store.generations.complete(kept.held, draftResult, null, half)).not.toBeNull();
      }),
    );
  });
}
