import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../e2e/support/servers.ts";
import { create } from "./support/clients.ts";
import { openNodes } from "./support/nodes.ts";

test("a node without vectors, or with another model, does not take away those of a running node", async () => {
  const nodes = await openNodes();
  const access = await nodes.newAccess();
  const first = await nodes.start("all", { EMBEDDINGS: "local" });
  await create(first.url, access, { title: "The cat sat quietly on the windowsill", idempotencyKey: "note" });
  const client = new Client(nodes.environment.DATABASE_URL ?? "");
  await client.connect();
  onTestFinished(() => client.end());
  const read = async (): Promise<{ model: string; isOn: boolean; blocks: number } | undefined> =>
    (await client.query('SELECT model, is_on AS "isOn", (SELECT count(*)::int FROM passage_block) AS blocks FROM vector_model')).rows[0];
  await until("the vectors of the note", async () => (await read())?.blocks === 1);
  const others = [
    await nodes.start("worker", { EMBEDDINGS: "off" }),
    await nodes.start("worker", {
      EMBEDDINGS: "openai-compatible",
      EMBEDDINGS_MODEL: "other",
      EMBEDDINGS_BASE_URL: "http://127.0.0.1:9/v1",
    }),
  ];
  const refusal = "Another node runs with other settings of EMBEDDINGS.";
  await until("both refusals", () => others.every(({ stdout }) => stdout().includes(refusal)));
  expect(await read()).toEqual({ model: "universal-sentence-encoder-lite", isOn: true, blocks: 1 });
  expect(first.stdout()).not.toContain(refusal);
  // The next one takes over once the others are gone.
  await others[1]?.kill("SIGTERM");
  await first.kill("SIGTERM");
  await until("vectors to be off", async () => (await read())?.isOn === false);
  expect((await read())?.blocks).toBe(1);
});
