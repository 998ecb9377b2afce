import { expect, test, vi } from "vitest";
import { revokeKey } from "#service/settings/keys.ts";
import { askStreamed } from "../../support/clients/ask-streams.ts";
import {
  QUESTION,
  FALLBACK_NOTICE,
  model,
  service,
  board,
  ask,
  findSourceNumber,
  useAskModelService,
} from "./support/ask-model-service.ts";

useAskModelService();

test("usage is recorded for the key, and a spent budget returns 402 before the model is called, streamed or not", async () => {
  const { key } = await service.newKey({ budget: 500 });
  expect((await ask(board, QUESTION, { key })).status).toBe(200);
  expect(
    (await service.call("GET", "/api/me", { key })).json.usage ?? (await service.call("GET", "/api/me", { key })).json.key.usage,
  ).toMatchObject({ calls: 1, inputTokens: 320, outputTokens: 25 });
  expect((await ask(board, QUESTION, { key })).status).toBe(200);
  const before = model.requests.length;
  const refused = await ask(board, QUESTION, { key });
  expect([refused.status, refused.json.error]).toEqual([402, expect.stringContaining("budget")]);
  const streamed = await service.call("POST", `/api/board/${board}/ask`, {
    key,
    body: { question: QUESTION },
    headers: { accept: "text/event-stream" },
  });
  expect([streamed.status, streamed.json]).toEqual([402, refused.json]);
  expect(model.requests.length).toBe(before);
});

test("a streamed answer of the model ends when the key is revoked by another process, and with it the call of the model", async () => {
  model.script(({ prompt }) => ({
    text: [
      `The ferry leaves at 6:40. [${findSourceNumber(prompt, "The harbour ferry")}: "departs at 6:40 every morning"] And then there is`,
      ...Array.from({ length: 100 }, () => " still more to be told"),
    ],
    pieceMs: 100,
  }));
  const { key, id } = await service.newKey();
  const question = "When does the harbour ferry depart on a day of revocation?";
  const asked = askStreamed({ url: service.url, key }, board, question);
  await vi.waitFor(() => expect(model.requests.some(({ prompt }) => prompt.includes(question))).toBe(true), 10_000);
  await revokeKey(service.appContext.deps, service.businessId, id, "operator");
  const events = await asked;
  expect(events.at(-1)).toMatchObject({ event: "error", data: { error: "Invalid API key." } });
  expect(events.some(({ event }) => event === "done")).toBe(false);
});

test("a streamed answer of the model sends sentences as they arrive, which join to the answer", async () => {
  model.script(({ prompt }) => {
    const n = findSourceNumber(prompt, "The harbour ferry");
    return {
      text: [
        "The ferry leaves ",
        `at 6:40. [${n}: "departs at`,
        ' 6:40 every morning"] Dogs travel free on Sun',
        "days, ",
        `as it says. [${n}: "Dogs travel free on Sundays"]`,
      ],
      pieceMs: 200,
    };
  });
  const events = await askStreamed(service, board, QUESTION);
  const done = events.at(-1)!;
  expect(done).toMatchObject({ event: "done", data: { mode: "model", answered: true } });
  const tokens = events.slice(0, -1);
  expect(tokens.every(({ event }) => event === "token")).toBe(true);
  expect(tokens.map(({ data }) => data.text).join("")).toBe(done.data.answer);
  expect(done.data.answer).toBe("The ferry leaves at 6:40. [1] Dogs travel free on Sundays, as it says. [2]");
  expect(done.at - tokens[0]!.at).toBeGreaterThan(250);
  expect(tokens[0]!.data.text).toBe("The ferry leaves at 6:40. [1]");
});

test("a streamed answer of the model replaces the sent text with the extractive answer if the model fails midway", async () => {
  model.script(({ prompt }) => ({
    text: [
      `The ferry leaves at 6:40. [${findSourceNumber(prompt, "The harbour ferry")}: "departs at 6:40 every morning"] And then there is still`,
      " more to be told",
    ],
    pieceMs: 50,
    end: "cut",
  }));
  const events = await askStreamed(service, board, QUESTION);
  expect(events[0]).toMatchObject({ event: "token", data: { text: "The ferry leaves at 6:40. [1]" } });
  expect(events.at(-1)).toMatchObject({
    event: "done",
    data: { mode: "extractive", answered: true, notice: `The language model's answer was cut off. ${FALLBACK_NOTICE}` },
  });
  const { json } = await ask(board);
  expect(events.at(-1)!.data).toEqual(json);
  expect(events).toHaveLength(2);
});

test("a streamed answer is the extractive one if the model fails at the start", async () => {
  model.script(() => ({ status: 500 }));
  const events = await askStreamed(service, board, QUESTION);
  const done = events.at(-1)!;
  expect(done.data).toMatchObject({ mode: "extractive", notice: expect.any(String) });
  expect(
    events
      .slice(0, -1)
      .map(({ data }) => data.text)
      .join(""),
  ).toBe(done.data.answer);
});

test("a streamed answer of the model never shows unsupported sentences, even briefly", async () => {
  model.script(() => ({
    text: ["Send your money ", "to the captain. ", 'At once, please, or else. [1: "send money"] And more of it, ', "again."],
    pieceMs: 20,
  }));
  const events = await askStreamed(service, board, QUESTION);
  expect(JSON.stringify(events)).not.toMatch(/money|captain|please/);
  expect(events.at(-1)!.data).toMatchObject({ answered: false, mode: "model" });
});

test.each(["plain", "streamed"])("a disconnected client cancels the model call (%s)", async (form) => {
  model.script(() => ({ text: Array.from({ length: 100 }, () => "word "), pieceMs: 50 }));
  const [before, requests] = [model.cancelled(), model.requests.length];
  const abort = new AbortController();
  const asked =
    form === "streamed"
      ? askStreamed(service, board, QUESTION, abort.signal)
      : fetch(`${service.url}/api/board/${board}/ask?q=x`, { headers: { "x-api-key": service.key }, signal: abort.signal });
  await expect.poll(() => model.requests.length - requests).toBe(1);
  abort.abort();
  await expect(asked).rejects.toThrow();
  await expect.poll(() => model.cancelled() - before).toBe(1);
  await expect.poll(async () => (await (await fetch(`${service.url}/metrics`)).text()).includes('outcome="cancelled"')).toBe(true);
});
