import type { Client } from "@tessera-board/sdk";
import { expect, test } from "vitest";
import { signStandard } from "#net/signature.ts";
import { createSubscription } from "../../../integrations/node-red/src/events/subscription.ts";

const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD9eVGRqNFHqM=";
const TARGET = { url: "https://nodes.example/tessera/a0", path: "/tessera/a0", description: "Node-RED: a0" };

/** The receiver of a node, and the ids that it has sent on. */
function open() {
  const ids: string[] = [];
  /** What the node shows, and what it writes. */
  const reports: string[] = [];
  const subscriptions: object[] = [];
  const closing = new AbortController();
  const client = {
    me: async () => ({ scope: { boardId: null }, webhooks: true }),
    webhooks: {
      list: async () => subscriptions,
      create: async () => {
        subscriptions.push({ ...TARGET, id: "sub_1", status: "active" });
        return { secret: SECRET };
      },
    },
  } as unknown as Client;
  const { step, receiver } = createSubscription(
    {
      client,
      filter: { events: ["tile.ready"], boardId: undefined, includeTile: false },
      emit: ({ id }) => void ids.push(id),
      report: {
        connected: () => void reports.push("connected"),
        paused: () => void reports.push("paused"),
        failed: () => void reports.push("failed"),
        warn: (key) => void reports.push(key),
      },
      signal: closing.signal,
    },
    TARGET,
  );
  const send = (id: string, event = "tile.ready", at = Date.now()) => {
    const body = JSON.stringify({ event, payload: {}, sentAt: new Date(at).toISOString() });
    const timestamp = Math.floor(at / 1_000);
    const headers = {
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signStandard(id, timestamp, body, SECRET),
    };
    return receiver(Buffer.from(body), headers);
  };
  // A closed node does not wait for its next check.
  closing.abort();
  return { ids, reports, subscriptions, send, step };
}

test("events before the node has subscribed are refused in such a way that the server repeats them", async () => {
  const { send, step, ids } = open();
  expect(await send("evt_1")).toBe(503);
  await step();
  expect(await send("evt_1")).toBe(204);
  expect(ids).toEqual(["evt_1"]);
});

test("a repeated event is sent on once, an old one is refused, and a test event is not sent on", async () => {
  const { send, step, ids, reports } = open();
  await step();
  expect([await send("evt_1"), await send("evt_1"), await send("evt_2")]).toEqual([204, 204, 204]);
  expect(await send("evt_3", "tile.ready", Date.now() - 400_000)).toBe(401);
  expect(await send("evt_4", "test")).toBe(204);
  expect(ids).toEqual(["evt_1", "evt_2"]);
  expect(reports).toEqual(["connected", "status.test"]);
});

test("the ids that a node remembers are bounded", async () => {
  const { send, step, ids } = open();
  await step();
  for (let index = 0; index <= 10_000; index++) await send(`evt_${index}`);
  await send("evt_10000");
  expect(ids).toHaveLength(10_001);
  await send("evt_0");
  expect(ids).toHaveLength(10_002);
});

test("a subscription that is paused on the server is shown, and one that is removed there is made again", async () => {
  const { step, reports, subscriptions } = open();
  await step();
  Object.assign(subscriptions[0]!, { status: "paused" });
  await step();
  subscriptions.length = 0;
  await step();
  expect(reports).toEqual(["connected", "paused", "errors.subscription-removed", "connected"]);
  expect(subscriptions).toHaveLength(1);
});
