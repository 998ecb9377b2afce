import type { FastifyReply } from "fastify";
import { expect, test } from "vitest";
import type { Actor } from "#domain/core/access.ts";
import type { Board } from "#domain/core/board.ts";
import type { Store } from "#domain/store.ts";
import { createAccessWatch } from "#http/auth/access-watch.ts";
import { createLiveStreams } from "#http/streams/live.ts";

const actor = { kind: "operator", businessId: "biz_1" } as const satisfies Actor;

test("a client that disconnects before its stream opens leaves no stream behind", async () => {
  const store = {
    boards: { revisions: async () => ({ zones: 1, content: 1, existing: 1 }) },
    progress: {},
    changes: {},
  } as unknown as Store;
  const streams = createLiveStreams(
    store,
    { now: () => 0 },
    createAccessWatch(store, { now: () => 0 }, () => {}),
  );
  let hijacked = 0;
  const reply = { raw: { destroyed: true }, hijack: () => hijacked++ } as unknown as FastifyReply;
  for (let n = 0; n < 50; n++) await streams.follow({ id: "brd_1" } as Board, actor, reply);
  expect(hijacked).toBe(50);
});
