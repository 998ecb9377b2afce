import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { call, makeFolder } from "../e2e/support/process.ts";
import { listTiles } from "./support/links.ts";
import { printFigure } from "./support/figures.ts";
import { openNodes } from "./support/nodes.ts";

const LIMIT = 30;
const CALLS = 90;
const CONCURRENCY = 6;

test("two nodes share rate limits: exactly the allowed number of requests succeeds", { timeout: 300_000 }, async () => {
  const nodes = await openNodes({ RATE_LIMIT_PER_MINUTE: String(LIMIT) });
  const access = await nodes.newAccess();
  const servers = await Promise.all([nodes.start("api"), nodes.start("api")]);
  const answers: Awaited<ReturnType<typeof call>>[] = [];
  while (answers.length < CALLS) {
    const some = Array.from({ length: CONCURRENCY }, (_, n) => call(servers[n % 2]!.url, access.key, "GET", "/api/me"));
    answers.push(...(await Promise.all(some)));
  }
  const passed = answers.filter(({ status }) => status === 200).length;
  const refused = answers.filter(({ status }) => status === 429);
  printFigure(`${CALLS} calls over two nodes with ${LIMIT} a minute: ${passed} passed, ${refused.length} refused`);
  expect({ passed, refused: refused.length }).toEqual({ passed: LIMIT, refused: CALLS - LIMIT });
  for (const { headers } of refused) expect(headers.get("retry-after")).toMatch(/^([1-9]|[1-5]\d|60)$/);
  const { key: other } = await nodes.newAccess();
  expect((await call(servers[0].url, other, "GET", "/api/me")).status).toBe(200);
});

test("two nodes whose clocks differ by two minutes share rate limits", { timeout: 300_000 }, async () => {
  const nodes = await openNodes({ RATE_LIMIT_PER_MINUTE: String(LIMIT) });
  const access = await nodes.newAccess();
  const folder = makeFolder();
  onTestFinished(() => folder.remove());
  const file = folder.path("shift");
  writeFileSync(file, String(2 * 60_000));
  const preload = pathToFileURL(join(import.meta.dirname, "../e2e/support/shifted-clock.ts")).href;
  const servers = await Promise.all([
    nodes.start("api"),
    nodes.start("api", { CLOCK_SHIFT_FILE: file, NODE_OPTIONS: `--import=${preload}` }),
  ]);
  const answers: Awaited<ReturnType<typeof call>>[] = [];
  for (let n = 0; n < CALLS; n++) answers.push(await call(servers[n % 2]!.url, access.key, "GET", "/api/me"));
  const passed = answers.filter(({ status }) => status === 200).length;
  printFigure(`${CALLS} calls over two nodes two minutes apart with ${LIMIT} a minute: ${passed} passed`);
  expect(passed).toBe(LIMIT);
  for (const { headers, status } of answers) if (status === 429) expect(headers.get("retry-after")).toMatch(/^([1-9]|[1-5]\d|60)$/);
});

test("one Idempotency-Key sent to two nodes at once creates one tile", { timeout: 300_000 }, async () => {
  const nodes = await openNodes();
  const access = await nodes.newAccess();
  const servers = await Promise.all([nodes.start("api"), nodes.start("api")]);
  const rounds = 20;
  const ids: string[] = [];
  let replayed = 0;
  for (let round = 0; round < rounds; round++) {
    const body = { board_id: access.boardId, content: `The note of round ${round}` };
    const posts = Array.from({ length: 12 }, (_, n) =>
      call(servers[n % 2]!.url, access.key, "POST", "/api/inbound/tiles", body, { "idempotency-key": `round ${round}` }),
    );
    const answers = await Promise.all(posts);
    expect(answers.map(({ status }) => status)).toEqual(posts.map(() => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    replayed += answers.filter(({ headers }) => headers.get("idempotency-replayed") === "true").length;
    ids.push(answers[0]!.json.tile.id);
  }
  const tiles = await listTiles(servers[0].url, access);
  printFigure(`${rounds} Idempotency-Keys, each posted 12 times to two nodes at once: ${tiles.length} tiles, ${replayed} replays`);
  expect(tiles.map(({ id }) => id)).toEqual(ids);
  expect(replayed).toBe(rounds * 11);
});
