import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { writeCanonicalJson } from "#http/request/body/json.ts";
import { checkBoardAccess } from "#domain/core/access.ts";
import { newId } from "#domain/core/system.ts";
import { presentGenerationId } from "#service/generation/generations.ts";
import { startTestService } from "../../../support/service.ts";
import { model, service, TIDES, DRAFT, newBoard, generate, read, newest, listEvents, useModelService } from "./model-service.ts";

useModelService();

/** Lets the model write a draft only after the returned function is called. */
function holdModel(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  model.script(() => promise.then(() => ({ text: JSON.stringify(DRAFT) })));
  return resolve;
}

test(
  "a slow request returns 202 with the same body, and the generation completes after the client disconnected",
  { timeout: 300_000 },
  async () => {
    const slow = await startTestService({
      LLM_PROVIDER: "openai-compatible",
      LLM_MODEL: "mock",
      LLM_BASE_URL: model.url,
      GENERATE_WAIT_MS: "200",
    });
    try {
      await slow.call("POST", `/api/board/${slow.boardId}/tiles`, { body: { content: TIDES } });
      const release = holdModel();
      const body = { board_id: slow.boardId, asset_type: "post" };
      const headers = { "idempotency-key": "slow" };
      const answer = await slow.call("POST", "/api/v1/generate", { body, headers });
      expect(answer.status).toBe(202);
      const { id } = answer.json.generation;
      expect(answer.json.generation.status).toBe("processing");
      expect(answer.headers.get("location")).toBe(`/api/v1/generations/${id}`);
      const again = await slow.call("POST", "/api/v1/generate", { body, headers });
      expect([again.status, again.json.generation.id]).toEqual([202, id]);
      release();
      const waited = await slow.call("GET", `/api/v1/generations/${id}?wait=20`);
      expect(waited.json.generation).toMatchObject({ status: "complete", mode: "model" });
      const late = await slow.call("POST", "/api/v1/generate", { body, headers });
      expect([late.status, late.json]).toEqual([200, waited.json]);

      const releaseNext = holdModel();
      const gone = new AbortController();
      const call = fetch(`${slow.url}/api/v1/generate`, {
        method: "POST",
        headers: { "x-api-key": slow.key, "content-type": "application/json" },
        body: JSON.stringify({ ...body, prompt: "gone" }),
        signal: gone.signal,
      }).catch(() => null);
      await expect.poll(async () => (await slow.call("GET", "/api/v1/generations")).json.generations.length).toBe(2);
      gone.abort();
      await call;
      releaseNext();
      await expect
        .poll(async () => (await slow.call("GET", "/api/v1/generations?limit=1")).json.generations[0], { timeout: 300_000 })
        .toMatchObject({ status: "complete" });
      expect((await slow.call("GET", "/api/v1/generations")).json.generations).toHaveLength(2);
    } finally {
      await slow.stop();
    }
  },
);

test("a request with the idempotency key of one that is running returns 409", async () => {
  const board = await newBoard(TIDES);
  const release = holdModel();
  const headers = { "idempotency-key": "waits" };
  const first = generate({ board_id: board, asset_type: "post" }, headers);
  await expect.poll(() => newest(board)).toMatchObject({ status: "processing" });
  const second = await generate({ board_id: board, asset_type: "post" }, headers);
  expect([second.status, second.json.error]).toEqual([409, expect.stringMatching(/still running/)]);
  expect(second.headers.get("idempotency-replayed")).toBeNull();
  const joined = generate({ board_id: board, asset_type: "post" }, { ...headers, accept: "text/event-stream" });
  release();
  const { json } = await first;
  const [, done = ""] = /event: done\ndata: (.*)/.exec((await joined).text) ?? [];
  // On a busy machine the first response may say that the generation goes on.
  expect(JSON.parse(done)).toEqual({ generation: await read(json.generation.id, "?wait=5") });
});

test("a cancellation ends a generation, aborts the model call and is reported to waiting clients", async () => {
  const board = await newBoard(TIDES);
  model.script(() => ({ text: "{", end: "hang" }));
  const before = model.cancelled();
  const call = generate({ board_id: board, asset_type: "post" });
  await expect.poll(() => newest(board)).toMatchObject({ status: "processing" });
  const { id } = await newest(board);
  await expect.poll(() => model.requests.at(-1)?.prompt).toContain("The tide of the bay");
  const { status, json } = await service.call("POST", `/api/v1/generations/${id}/cancel`);
  expect([status, json.generation.status]).toEqual([200, "cancelled"]);
  expect(await call).toMatchObject({ status: 409, json: { error: "This generation was cancelled." } });
  await expect.poll(() => model.cancelled()).toBeGreaterThan(before);
  expect(await listEvents(id)).toEqual([]);
  expect((await service.call("POST", `/api/v1/generations/${id}/cancel`)).status).toBe(409);
});

test("usage is recorded for each model call, and a spent budget returns 402 before anything is created", async () => {
  const board = await newBoard(TIDES);
  const { key } = await service.newKey({ budget: 100 });
  model.script(() => ({ text: JSON.stringify(DRAFT), usage: { input: 90, output: 30 } }));
  expect((await generate({ board_id: board, asset_type: "post" }, { "idempotency-key": "b" }, key)).status).toBe(200);
  expect((await service.call("GET", "/api/me", { key })).json.usage).toMatchObject({ calls: 1, inputTokens: 90, outputTokens: 30 });
  const spent = await generate({ board_id: board, asset_type: "post" }, {}, key);
  expect([spent.status, spent.json.error]).toEqual([402, expect.stringMatching(/budget/)]);
  expect((await service.call("GET", `/api/v1/generations?board_id=${board}`)).json.generations).toHaveLength(1);
  // A completed and paid result is still returned.
  expect((await generate({ board_id: board, asset_type: "post" }, { "idempotency-key": "b" }, key)).status).toBe(200);
});

const usedBy = async (key: string) => (await service.call("GET", "/api/me", { key })).json.usage;

test("a budget includes failed and cancelled model calls", async () => {
  const board = await newBoard(TIDES);
  const { key } = await service.newKey({ budget: 1_000_000 });
  const body = { board_id: board, asset_type: "post" };
  model.script(() => ({ text: '{"title":', finish: "length", usage: { input: 500, output: 700 } }));
  expect((await generate(body, {}, key)).status).toBe(502);
  expect(await usedBy(key)).toMatchObject({ calls: 1, inputTokens: 500, outputTokens: 700 });
  model.script(() => ({ text: "{", end: "hang" }));
  const asked = model.requests.length;
  const { id } = (await generate({ ...body, async: true }, {}, key)).json.generation;
  await expect.poll(() => model.requests.length).toBeGreaterThan(asked);
  await service.call("POST", `/api/v1/generations/${id}/cancel`, { key });
  await expect.poll(() => usedBy(key)).toMatchObject({ calls: 2 });
  expect((await usedBy(key)).inputTokens).toBeGreaterThan(700);
  expect((await generate(body, {}, key)).status).toBe(504);
  expect((await usedBy(key)).inputTokens).toBeGreaterThan(900);
});

test("a budget is checked again when a queued generation starts", async () => {
  const board = await newBoard(TIDES);
  const { key } = await service.newKey({ budget: 1_000 });
  model.script(() => ({ text: JSON.stringify(DRAFT), waitMs: 1_000, usage: { input: 900, output: 100 } }));
  const calls = await Promise.all(
    Array.from({ length: 20 }, () => generate({ board_id: board, asset_type: "post", async: true }, {}, key)),
  );
  const ended = await Promise.all(calls.map(({ json }) => read(json.generation.id, "?wait=5")));
  // On a busy machine a generation that runs may also fail, since the model answers too late.
  const spent = ended.filter(({ error }) => error?.code === "budget_spent");
  // At most sixteen run at once and exceed the budget.
  expect(spent.length).toBeGreaterThanOrEqual(4);
  expect(spent[0].error).toEqual({ code: "budget_spent", message: expect.stringContaining("budget of 1,000 tokens") });
  expect((await usedBy(key)).calls).toBe(ended.length - spent.length);
});

test("respond-async is accepted as a preference, and similar values are ignored", async () => {
  const board = await newBoard(TIDES);
  const prefer = async (value: string) => (await generate({ board_id: board, asset_type: "post" }, { prefer: value })).status;
  expect(await prefer("wait=10, Respond-Async; x=1")).toBe(202);
  expect(await prefer("no-respond-async")).toBe(200);
  expect(await prefer('handling="respond-async"')).toBe(200);
});

test("a streamed request with an idempotency key waits for a generation that another node runs", async () => {
  const board = await newBoard(TIDES);
  const { id: apiKeyId, key } = await service.newKey();
  const { generations } = service.appContext.deps.store;
  const body = JSON.stringify({ board_id: board, asset_type: "post" });
  const now = Date.now();
  const draft = { id: newId("gen", now), endpoint: "/api/v1/generate", assetType: "post", request: {}, lease: "elsewhere" } as const;
  const idempotency = {
    businessId: service.businessId,
    apiKeyId,
    path: "/api/v1/generate",
    key: "elsewhere",
    requestHash: createHash("sha256")
      .update(writeCanonicalJson(JSON.parse(body)))
      .digest("hex"),
    expiresAt: now + 60_000,
    render: (generation: Parameters<typeof presentGenerationId>[0]) => JSON.stringify(presentGenerationId(generation)),
  };
  const target = await service.appContext.deps.store.boards.find(service.businessId, board);
  const actor = { kind: "operator", businessId: service.businessId } as const;
  await generations.create(checkBoardAccess(actor, board, target, "write"), draft, now, idempotency);
  const headers = { "idempotency-key": "elsewhere", accept: "text/event-stream" };
  const stream = service.call("POST", "/api/v1/generate", { key, body, headers });
  const output = { title: "Elsewhere", text: "Made there.", sections: [] };
  const result = { mode: "model", output, ideas: null, citations: [], contextTokens: 1 } as const;
  await new Promise((resolve) => setTimeout(resolve, 200));
  await generations.complete({ businessId: service.businessId, boardId: board, id: draft.id, lease: draft.lease }, result, null, now);
  const [, done = ""] = /event: done\ndata: (.*)/.exec((await stream).text) ?? [];
  expect(JSON.parse(done).generation).toMatchObject({ id: draft.id, status: "complete", output });
});
