import { expect, test } from "vitest";
import { createClient, TesseraError } from "@tessera-board/sdk";
import { serve } from "./server.ts";

const STREAM = { "content-type": "text/event-stream; charset=utf-8" };
const ANSWER = { answer: "Two words.", contextTokens: 3, answered: true, mode: "model", citations: [] };

const event = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

function ask(url: string, options: { onText?: (text: string) => void; signal?: AbortSignal } = {}) {
  return createClient({ baseUrl: url }).ask("b", "What?", options);
}

test("an answer arrives in tokens, and complete at the end", async () => {
  const body = `${event("token", { text: "Two " })}: still at it\n\n${event("token", { text: "wörds." })}${event("done", ANSWER)}`;
  await using server = await serve(() => ({ headers: STREAM, body }));
  const told: string[] = [];
  expect(await ask(server.url, { onText: (text) => told.push(text) })).toEqual(ANSWER);
  expect(told).toEqual(["Two ", "wörds."]);
  expect(server.seen[0]?.headers["accept"]).toBe("text/event-stream");
});

test("events are parsed however the network splits them, with any line endings", async () => {
  const bytes = new TextEncoder().encode(`${event("token", { text: "ä€😀" })}${event("done", ANSWER)}`.replaceAll("\n", "\r\n"));
  for (let size = 1; size <= 9; size += 1) {
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.slice(index * size, (index + 1) * size));
    const fetch = async () => new Response(ReadableStream.from(parts), { headers: STREAM });
    const told: string[] = [];
    const answer = await createClient({ baseUrl: "", fetch }).ask("b", "What?", { onText: (text) => told.push(text) });
    expect([told.join(""), answer]).toEqual(["ä€😀", ANSWER]);
  }
});

test("a service that does not stream works too", async () => {
  await using server = await serve(() => ({ body: ANSWER }));
  expect(await ask(server.url, { onText: () => {} })).toMatchObject(ANSWER);
});

test.each([
  ["an error within the stream", event("error", { error: "The language model did not answer." }), "The language model did not answer."],
  ["a stream that breaks off", event("token", { text: "Two" }), "The answer is incomplete. Ask again."],
  ["an error without a message", event("error", {}), "The answer is incomplete. Ask again."],
  ["an event without an object", event("done", null), "The service sent an event that can't be read."],
  ["an event that is no JSON", "event: done\ndata: {\n\n", "The service sent an event that can't be read."],
])("%s throws with a message", async (_what, body, message) => {
  await using server = await serve(() => ({ headers: STREAM, body }));
  const failure = ask(server.url, { onText: () => {} });
  await expect(failure).rejects.toThrow(message);
  await expect(failure).rejects.toBeInstanceOf(TesseraError);
});

test("a question rejected before the stream starts throws like any request", async () => {
  await using server = await serve(() => ({ status: 402, body: { error: "The budget is spent." } }));
  await expect(ask(server.url, { onText: () => {} })).rejects.toMatchObject({ status: 402, message: "The budget is spent." });
});

test("breaking out of the loop aborts the request", async () => {
  let isCancelled = false;
  const fetch = async () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(event("done", ANSWER))),
        cancel: () => void (isCancelled = true),
      }),
      { headers: STREAM },
    );
  await createClient({ baseUrl: "", fetch }).ask("b", "What?", { onText: () => {} });
  expect(isCancelled).toBe(true);
});
