import type { Client } from "@tessera-board/sdk";
import { expect, test } from "vitest";
import { createFeedStep } from "../../../integrations/node-red/src/events/feed.ts";

test("a tile that can't be read repeats no event of its page", async () => {
  const sent: string[] = [];
  let cursor = "c0";
  let isBroken = true;
  const changes = ["1", "2"].map((n) => ({ id: `evt_${n}`, event: "tile.ready", payload: { tileId: `til_${n}` }, at: "2026-11-28" }));
  const client = {
    changes: { list: async () => ({ changes, nextCursor: "c1", hasMore: false }) },
    tiles: {
      get: async (id: string) => {
        if (isBroken && id === "til_2") throw new Error("The connection failed.");
        return { id, title: id };
      },
    },
  } as unknown as Client;
  const step = createFeedStep(
    {
      client,
      filter: { events: ["tile.ready"], boardId: undefined, includeTile: true },
      emit: ({ id }) => void sent.push(id),
      report: { connected() {}, paused() {}, failed() {}, warn() {} },
      signal: new AbortController().signal,
    },
    {
      read: () => cursor,
      write: async (next) => void (cursor = next),
      clear: async () => {},
    },
  );
  await expect(step()).rejects.toThrow("The connection failed.");
  expect([sent, cursor]).toEqual([[], "c0"]);
  isBroken = false;
  await step();
  expect([sent, cursor]).toEqual([["evt_1", "evt_2"], "c1"]);
});
