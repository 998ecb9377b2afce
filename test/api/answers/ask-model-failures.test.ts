import { expect, test } from "vitest";
import type { Script } from "../../support/servers/openai-server.ts";
import { KEY, FALLBACK_NOTICE, model, service, board, ferry, ask, SAYS_WELL, useAskModelService } from "./support/ask-model-service.ts";

useAskModelService();

const cases: readonly (readonly [string, Script, string])[] = [
  [
    "is slow",
    () => ({ text: "late", waitMs: 10_000 }),
    "The language model did not answer in time; these are the passages that match best.",
  ],
  [
    "hangs in the middle",
    () => ({ text: ["The ferry ", "leaves "], end: "hang" }),
    "The language model did not answer in time; these are the passages that match best.",
  ],
  [
    "is unavailable",
    () => ({ status: 500, body: "secret inner words" }),
    `The language model is unavailable. Try again later. ${FALLBACK_NOTICE}`,
  ],
  [
    "is rate-limited",
    () => ({ status: 429, headers: { "retry-after": "120" } }),
    `The language model's provider has reached its rate limit. Try again later. ${FALLBACK_NOTICE}`,
  ],
  ["is cut off", () => ({ text: ["The ferry "], end: "cut" }), `The language model's answer was cut off. ${FALLBACK_NOTICE}`],
  [
    "sends garbage",
    () => ({ status: 200, headers: { "content-type": "text/event-stream" }, body: "data: {{{\n\n" }),
    `The language model returned an invalid response. ${FALLBACK_NOTICE}`,
  ],
  ["returns no text", () => ({ text: "" }), `The language model returned an empty answer. ${FALLBACK_NOTICE}`],
  [
    "never ends",
    () => ({
      text: {
        *[Symbol.iterator]() {
          for (;;) yield "more ".repeat(40);
        },
      },
      pieceMs: 0,
    }),
    `The language model's answer was longer than LLM_MAX_OUTPUT_TOKENS allows and was cut off. ${FALLBACK_NOTICE}`,
  ],
  [
    "refuses the key",
    () => ({ status: 401, body: { error: { message: `Incorrect key ${KEY}` } } }),
    `The language model refused the key. Check LLM_API_KEY. ${FALLBACK_NOTICE}`,
  ],
];

test.each(cases)("a model that %s is replaced by the extractive answer, with a notice", async (_, script, notice) => {
  model.script(script);
  const { status, text, json } = await ask(board);
  expect(status).toBe(200);
  expect(json).toMatchObject({ mode: "extractive", answered: true, notice, answer: expect.stringContaining("6:40") });
  expect(json.citations[0]).toMatchObject({ tileId: ferry });
  expect(text).not.toMatch(/secret inner words|Incorrect key|0123456789/);
});

test("a failing model is retried after a temporary failure, without a notice", async () => {
  let calls = 0;
  model.script((request) => (++calls === 1 ? { status: 503 } : SAYS_WELL(request)));
  const { json } = await ask(board);
  expect([json.mode, calls]).toEqual(["model", 2]);
  expect(json).not.toHaveProperty("notice");
});

test("a failing model is counted in the metrics by outcome", async () => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  for (const outcome of ["answered", "timeout", "unreachable", "rate_limited", "cut_off", "wrong_answer", "refused"])
    expect(text).toMatch(new RegExp(`tessera_model_calls_total\\{endpoint="ask",outcome="${outcome}"\\} [1-9]`));
});
