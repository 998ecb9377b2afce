import { afterEach, beforeEach, expect, it, test, vi } from "vitest";
import { createClient } from "@tessera-board/sdk";
import { BOARDS, createScriptedClient, settle, type Reply } from "./scripted-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("a body that is no JSON is not taken for a failed connection", async () => {
  const { client, sent } = createScriptedClient([BOARDS, BOARDS, BOARDS]);
  const { error, ms } = await settle(client.zones.create("b", { name: 1n as never }));
  expect(error).toBeInstanceOf(TypeError);
  expect([ms, sent.length]).toEqual([0, 0]);
});

it("an idempotency key with a line break is not taken for a failed connection", async () => {
  const { client, sent } = createScriptedClient([]);
  const call = client.zones.create("b", { name: "Z" }, { idempotencyKey: "one\ntwo" });
  expect(await settle(call)).toMatchObject({ error: expect.any(TypeError), ms: 0 });
  expect(sent).toEqual([]);
});

it("an error of the caller's own function is not taken for a failed connection", async () => {
  const reply: Reply = async () => new Response("event: revision\ndata: {}\n\n", { headers: { "content-type": "text/event-stream" } });
  const { client, sent } = createScriptedClient([reply, reply]);
  const mistake = () => {
    throw new TypeError("x is not a function");
  };
  expect((await settle(client.boards.follow("b", mistake))).error).toMatchObject({ message: "x is not a function" });
  expect(sent).toHaveLength(1);
});

test("an error of an asynchronous function of the caller ends the call, and the next part waits for it", async () => {
  const events = ["revision", "progress", "token"].map((name) => `event: ${name}\ndata: {"tiles":[],"text":"So."}\n\n`.repeat(2)).join("");
  const reply: Reply = async () => new Response(events, { headers: { "content-type": "text/event-stream" } });
  const { client } = createScriptedClient([reply, reply, reply]);
  let calls = 0;
  const fail = async () => {
    calls += 1;
    await Promise.resolve();
    throw new Error("The disk is full.");
  };
  for (const call of [
    () => client.boards.follow("b", fail),
    () => client.boards.follow("b", () => {}, { onProgress: fail }),
    () => client.ask("b", "Why?", { onText: fail }),
  ])
    expect((await settle<unknown>(call())).error).toMatchObject({ message: "The disk is full." });
  expect(calls).toBe(3);
});

it("a mistake in the arguments is thrown at once, and not taken for a failed connection", async () => {
  const { client, sent } = createScriptedClient([]);
  const { error, ms } = await settle(client.tiles.create("brd_1", { content: "A note", title: 1n as never }));
  expect([error, ms, sent.length]).toEqual([expect.any(TypeError), 0, 0]);
});

it("a missing address is named", () => {
  expect(() => createClient({} as never)).toThrow(
    new RangeError("baseUrl is missing: the server's address, such as https://boards.example.com."),
  );
  expect(() => (createClient as (options?: object) => unknown)()).toThrow("baseUrl is missing");
});
