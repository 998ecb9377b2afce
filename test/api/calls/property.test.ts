import * as fc from "fast-check";
import { Check } from "typebox/schema";
import { expect, test } from "vitest";
import type { Operation } from "../../support/operations.ts";
import { claimOwner } from "../../support/people/people.ts";
import type { Answer } from "../../support/service.ts";
import {
  NUM_RUNS,
  SETTINGS_RUNS,
  SEED,
  testData,
  operations,
  settings,
  arbitraryRequest,
  useRandomRequests,
} from "./support/random-requests.ts";

useRandomRequests();

const isErrorBody = (json: unknown): boolean => {
  const { error, ...rest } = (json ?? {}) as { error?: unknown };
  return typeof error === "string" && error !== "" && Object.keys(rest).length === 0;
};

/** The body of a response, or of the `done` event of a stream. */
const bodyIn = ({ headers, text, json }: Answer): unknown =>
  headers.get("content-type")?.startsWith("text/event-stream") === true
    ? JSON.parse(/event: done\ndata: (.*)/.exec(text)?.[1] ?? "null")
    : json;

test("the checker validates a response against its schema completely", async () => {
  const { response } = operations.find(({ name }) => name === "GET /api/board/boards") as Operation;
  const board = { id: "a", name: "b", isDefault: true, slug: "c" };
  expect(Check(response, { boards: [board] })).toBe(true);
  for (const wrong of [
    {},
    { boards: [{}] },
    { boards: [{ ...board, extra: 1 }] },
    { boards: [board], extra: 1 },
    { boards: [{ ...board, isDefault: "true" }] },
  ])
    expect(Check(response, wrong)).toBe(false);
});

/** Endpoints that end the session of the request, or hash a password each time. */
const LEFT_OUT = ["DELETE /api/settings/session", "POST /api/settings/password"];

test(`${SETTINGS_RUNS} random requests of an owner to the settings cause no server error`, { timeout: 300_000 }, async () => {
  const { service } = testData;
  const { cookie } = await claimOwner(service);
  const asked = settings.filter(({ name }) => !LEFT_OUT.includes(name));
  const anyRequest = fc.nat().chain((n) => arbitraryRequest(asked[n % asked.length] as Operation));
  await fc.assert(
    fc.asyncProperty(anyRequest, async ({ operation, path, body, headers }) => {
      const answer = await service.call(operation.method, path, {
        key: null,
        ...(body === undefined ? {} : { body }),
        headers: { ...headers, cookie, origin: service.url },
      });
      const description = `${operation.method} ${path} → ${answer.status} ${answer.text.slice(0, 300)}`;
      if (answer.status === 200 && answer.json !== undefined) expect(Check(operation.response, answer.json), description).toBe(true);
      if (answer.status === 200) return;
      expect([400, 401, 403, 404, 409, 413, 415, 429], description).toContain(answer.status);
      expect(isErrorBody(answer.json), description).toBe(true);
    }),
    { numRuns: SETTINGS_RUNS, seed: SEED },
  );
  expect((await service.call("GET", "/api/settings/session", { key: null, headers: { cookie } })).status).toBe(200);
});

test(
  `${NUM_RUNS} random requests cause no server error; errors are { error }, and responses match their schemas`,
  { timeout: 300_000 },
  async () => {
    const { service } = testData;
    const statuses = new Map<string, Set<number>>();
    const anyRequest = fc.nat().chain((n) => arbitraryRequest(operations[n % operations.length] as Operation));
    await fc.assert(
      fc.asyncProperty(anyRequest, async ({ operation, path, body, headers }) => {
        const answer = await service.call(operation.method, path, { ...(body === undefined ? {} : { body }), headers });
        const description = `${operation.method} ${path} → ${answer.status} ${answer.text.slice(0, 300)}`;
        statuses.set(operation.name, (statuses.get(operation.name) ?? new Set()).add(answer.status));
        expect(answer.status, description).toBeLessThan(500);
        if (answer.status === 200 || answer.status === 202) {
          expect(Check(operation.response, bodyIn(answer)), description).toBe(true);
          expect(isErrorBody(answer.json), description).toBe(false);
        } else {
          expect([400, 403, 404, 409, 412, 413, 415], description).toContain(answer.status);
          expect(isErrorBody(answer.json), description).toBe(true);
          expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
        }
      }),
      { numRuns: NUM_RUNS, seed: SEED },
    );
    for (const { name } of operations) {
      const isAnswered = [...(statuses.get(name) ?? [])].some((status) => status === 200 || status === 202);
      expect(isAnswered, `${name} was never answered with success`).toBe(true);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect((await service.call("GET", "/health/ready", { key: null })).status).toBe(200);
  },
);
