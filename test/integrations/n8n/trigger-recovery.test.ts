import { expect, test } from "vitest";
import { until } from "../../e2e/support/servers.ts";
import { changeRows } from "../../support/engine.ts";
import { useN8n } from "./support/host.ts";
import { useTrigger } from "./support/trigger.ts";

const host = useN8n();
const events = ["tile.created"];
const trigger = useTrigger(host, { events });

test("what happened while n8n was away starts the workflow when n8n is back, also if the server paused the webhook", async () => {
  const { n8n, service, key, activate, createTile, listEvents, listWebhooks, untilEvents } = trigger;
  await activate();
  await createTile("Here");
  await untilEvents(1);
  await n8n.stop();
  for (const title of ["Away 1", "Away 2"]) await createTile(title);
  const [{ id }] = await listWebhooks();
  await service.call("PATCH", `/api/webhooks/${id}`, { key, body: { status: "paused" } });
  await n8n.start();
  await activate();
  await untilEvents(3);
  expect(listEvents()).toEqual(["Here", "Away 1", "Away 2"].map((title) => `tile.created ${title}`));
  expect(await listWebhooks()).toMatchObject([{ id, status: "active" }]);
});

test("what happened while the workflow was inactive starts it when it is active again, unless it is told to skip that", async () => {
  const { n8n, activate, createTile, listEvents, untilEvents } = trigger;
  await activate();
  await n8n.deactivate();
  await createTile("Missed");
  await activate();
  await untilEvents(1);
  await n8n.deactivate();
  await createTile("Skipped");
  await activate({ parameters: { events, options: { skipMissed: true } } });
  await createTile("Later");
  await untilEvents(2);
  expect(listEvents()).toEqual(["tile.created Missed", "tile.created Later"]);
});

test.each([
  ["", {}, [100, 100, 50]],
  [", fewer at once with their tiles", { includeTile: true }, [20, 20, 10]],
])("many missed events come in several executions%s", async (_, options, sizes) => {
  const { n8n, service, activate, listEvents, untilEvents } = trigger;
  await activate();
  await n8n.deactivate();
  const count = sizes.reduce((sum, size) => sum + size, 0);
  const tiles = Array.from({ length: count }, (_, n) => ({ board_id: service.boardId, title: `Tile ${n}`, content: `Text ${n}.` }));
  await service.call("POST", "/api/inbound/tiles/batch", { body: { tiles } });
  await until("the changes", async () => (await service.call("GET", "/api/changes?limit=500")).json.changes.length === count);
  await activate({ parameters: { events, options } });
  await untilEvents(count);
  expect(listEvents()).toEqual(tiles.map(({ title }) => `tile.created ${title}`));
  expect(n8n.executions.map((items) => items.length)).toEqual(sizes);
});

test("if the server has erased what was missed, that is logged, and later events come", async () => {
  const { n8n, service, activate, createTile, listEvents, untilEvents } = trigger;
  await activate();
  await n8n.deactivate();
  await createTile("Erased");
  await changeRows(service.environment, "UPDATE feed SET erased = position");
  await activate();
  expect(n8n.warnings).toEqual([expect.stringContaining("events were lost")]);
  await createTile("Later");
  await untilEvents(1);
  expect(listEvents()).toEqual(["tile.created Later"]);
});

test("a webhook whose secret is lost is replaced, and one that was removed is made again", async () => {
  const { n8n, service, key, activate, listWebhooks } = trigger;
  const findId = async (): Promise<string> => {
    const [{ id }, ...others] = await listWebhooks();
    expect(others).toEqual([]);
    return id;
  };
  await activate();
  const first = await findId();
  n8n.stored = {};
  await activate();
  const second = await findId();
  await service.call("DELETE", `/api/webhooks/${second}`, { key });
  await activate();
  const third = await findId();
  expect(new Set([first, second, third]).size).toBe(3);
  await service.call("DELETE", `/api/webhooks/${third}`, { key });
  await n8n.deactivate();
  expect(await listWebhooks()).toEqual([]);
});

test("other fields make another webhook", async () => {
  const { activate, listWebhooks } = trigger;
  await activate();
  const [{ id }] = await listWebhooks();
  await activate({ parameters: { events: ["tile.failed"] } });
  const [changed, ...others] = await listWebhooks();
  expect([changed.events, changed.id === id, others]).toEqual([["tile.failed"], false, []]);
});

test("a delivery fails while the feed cannot be read, and the server sends it again", async () => {
  const { n8n, service, activate, createTile, untilEvents } = trigger;
  await activate();
  const { apiKey } = n8n.change({ apiKey: "tsr_wrong" });
  await createTile("One");
  await until("the failed delivery", async () => n8n.statuses.includes(500));
  n8n.change({ apiKey });
  await untilEvents(1);
  expect(n8n.statuses.at(-1)).toBe(200);
  expect((await service.call("GET", "/api/changes")).json.changes).toHaveLength(1);
});
