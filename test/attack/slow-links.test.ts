import { afterAll, beforeAll, expect, test } from "vitest";
import { tesseraJson } from "../e2e/support/process.ts";
import { until } from "../e2e/support/servers.ts";
import { openSlowOrigin, SHARED_HOST, type SlowOrigin, slowLinks } from "./support/slow-origin.ts";
import { callAs, startVictim, type Tenant, type Victim } from "./support/victim.ts";

/** `INGEST_CONCURRENCY`, and with those that run long. */
const SLOTS = 16;
const ALL_SLOTS = 32;

let origin: SlowOrigin;
let victim: Victim;
let third: Tenant;

beforeAll(async () => {
  origin = await openSlowOrigin(["first.example", "second.example", "third.example", "fourth.example"]);
  // The slow links must not end during the test.
  victim = await startVictim({ ...origin.environment, INGEST_TIMEOUT_MS: "120000" });
  const { id: businessId } = (await tesseraJson(victim.environment, "business", "create", "Third")).business;
  const [{ id: boardId }] = (await tesseraJson(victim.environment, "board", "list", "--business", businessId)).boards;
  const { key } = await tesseraJson(victim.environment, "key", "create", "--name", "test", "--business", businessId);
  third = { businessId, boardId, key };
});
afterAll(async () => {
  await victim?.stop();
  await origin?.close();
});

async function postLinks(tenant: Tenant, links: readonly string[]): Promise<string[]> {
  const tiles = links.map((url) => ({ board_id: tenant.boardId, url }));
  const { status, text, json } = await callAs(victim, tenant, "POST", "/api/inbound/tiles/batch", { tiles });
  if (status !== 200) throw new Error(`The batch returned ${status}: ${text}`);
  return json.results.map(({ tile }: { tile: { id: string } }) => tile.id);
}

/** Posts a link and waits until its tile is ready. */
async function readLink(tenant: Tenant, link: string): Promise<void> {
  const [id] = await postLinks(tenant, [link]);
  const isReady = async (): Promise<boolean> =>
    (await callAs(victim, tenant, "GET", `/api/board/tiles/${id}`)).json.tile.status === "ready";
  await until(`the text of ${link}`, isReady);
}

const fillSlots = (count: number): Promise<unknown> => until(`${count} slow links`, () => origin.slow.running >= count);

test("the slots of a host go to businesses in turn", async () => {
  const many = Array.from({ length: 12 }, (_, n) => `http://${SHARED_HOST}/many/${n}`);
  await postLinks(victim.attacker, many);
  await until("requests to the host", () => origin.sharedPaths.length >= 2);
  await readLink(victim.other, `http://${SHARED_HOST}/one`);
  await until("all requests to the host", () => origin.sharedPaths.length === many.length + 1);
  expect(origin.sharedPaths.indexOf("/one")).toBeLessThan(many.length);
});

test("a business with nothing running never waits for the slow links of others", async () => {
  const { attacker, other } = victim;
  await postLinks(attacker, slowLinks(100, "first-key"));
  await fillSlots(SLOTS);
  await readLink(other, "http://first.example/");
  // Links that take long give up their slot to the next ones.
  await fillSlots(ALL_SLOTS);
  await readLink(other, "http://second.example/");
  const more = await victim.newKey();
  await postLinks({ ...attacker, key: more }, slowLinks(100, "second-key"));
  await readLink(other, "http://third.example/");
  // An attacker with a second business has one more link running.
  await postLinks(other, slowLinks(100, "other"));
  await fillSlots(ALL_SLOTS + 1);
  await readLink(third, "http://fourth.example/");
  expect(origin.slow.ended).toBe(0);
});
