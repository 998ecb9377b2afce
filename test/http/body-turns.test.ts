import Fastify from "fastify";
import { expect, test } from "vitest";
import { createBodyMemory } from "#http/request/body/body-memory.ts";
import { addJsonParser } from "#http/request/body/body-parsers.ts";
import { createSemaphore, type Semaphore } from "#runtime/turns/semaphore.ts";

/** Sends a JSON body, and returns the response and how many times it took a turn in the work queue. */
async function send(body: object) {
  let turns = 0;
  const semaphore = createSemaphore({ slots: 1 });
  const workQueue: Semaphore = { waiting: 0, run: (work, options) => (turns++, semaphore.run(work, options)) };
  const app = Fastify();
  addJsonParser(app, { workQueue, memory: createBodyMemory(1_048_576) });
  app.post("/", ({ body: parsed }) => ({ fields: Object.keys(parsed as object).length }));
  const { statusCode, json } = await app.inject({ method: "POST", url: "/", payload: body });
  await app.close();
  return { statusCode, fields: json<{ fields: number }>().fields, turns };
}

const withFields = (count: number, value: unknown) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`field ${n}`, value]));

test.each([
  ["a short body", withFields(1, "x"), 0],
  ["a long text below a quarter of a megabyte", withFields(1, "x".repeat(250_000)), 0],
  ["a longer text", withFields(1, "x".repeat(300_000)), 1],
  ["a short body of many values", withFields(1_100, 1), 1],
  ["a list of many values", { list: Array.from({ length: 3_000 }, () => 1) }, 1],
])("%s takes its turn only if parsing it takes milliseconds", async (_name, body, turns) => {
  expect(await send(body)).toEqual({ statusCode: 200, fields: Object.keys(body).length, turns });
});
