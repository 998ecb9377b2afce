import { expect, test } from "vitest";
import { call } from "../e2e/support/process.ts";
import { openNodes } from "./support/nodes.ts";

const CALLS = 24;

test("concurrent calls that skip duplicates make one tile, whichever nodes they reach", { timeout: 300_000 }, async () => {
  const nodes = await openNodes();
  const { key, boardId } = await nodes.newAccess();
  const servers = await Promise.all([nodes.start("api"), nodes.start("api")]);
  const create = (n: number, body: object) =>
    call(servers[n % 2]!.url, key, "POST", `/api/board/${boardId}/tiles`, { ...body, on_duplicate: "skip" });
  const numbers = Array.from({ length: CALLS }, (_, n) => n);
  for (const toBody of [
    () => ({ content: "Low tide at noon." }),
    (n: number) => ({ url: `https://example.com/news/?b=2&a=1&utm_id=${n}#${n}` }),
    () => ({ content: "A quote.", source_url: "https://example.com/quote" }),
  ]) {
    const made = await Promise.all(numbers.map((n) => create(n, toBody(n))));
    expect(made.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    expect(made.filter(({ json }) => json.created)).toHaveLength(1);
    expect(made.filter(({ json }) => json.duplicate)).toHaveLength(CALLS - 1);
    expect(new Set(made.map(({ json }) => json.tile.id)).size).toBe(1);
  }
});
