import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type TestService, startTestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ROLE: "api", RATE_LIMIT_PER_MINUTE: "0" });
});
afterAll(() => service.stop());

test("a long body with an Idempotency-Key is parsed once, and its call repeated byte for byte", async () => {
  const body = { content: "harbour ".repeat(100_000), title: "Long" };
  const request = JSON.stringify(body);
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => parse.mockRestore());
  const post = async (sent: object) => {
    parse.mockClear();
    const headers = { "idempotency-key": "long" };
    const answer = await service.call("POST", `/api/board/${service.boardId}/tiles`, { body: sent, headers });
    return { answer, parsed: parse.mock.calls.filter(([text]) => String(text).length === request.length).length };
  };
  const first = await post(body);
  expect([first.answer.status, first.parsed]).toEqual([200, 1]);
  // The order of fields does not matter.
  const again = await post({ title: body.title, content: body.content });
  expect([again.answer.headers.get("idempotency-replayed"), again.parsed]).toEqual(["true", 1]);
  expect(again.answer.text === first.answer.text).toBe(true);
  expect((await post({ ...body, title: "Else" })).answer.status).toBe(409);
});
