import { expect, test } from "vitest";
import { setWebhook } from "#service/settings/webhooks.ts";
import { startTestService } from "../support/service.ts";
import { listen, openReceiver, sendPage, until } from "./support/servers.ts";

test("a receiver that hangs delays neither the API nor another business's events", { timeout: 300_000 }, async () => {
  const origin = await listen((_request, response) => sendPage(response, "A plain page"));
  const hanging = await openReceiver(() => {});
  const fine = await openReceiver();
  const service = await startTestService({
    FETCH_ALLOW: origin.host,
    WEBHOOK_ALLOW: `${hanging.host},${fine.host}`,
    INGEST_PER_HOST: "16",
    WEBHOOK_TIMEOUT_MS: "600000",
  });
  try {
    const other = await service.newBusiness("Other");
    const { key } = await service.newKey({ businessId: other.businessId });
    const { deps } = service.appContext;
    await setWebhook(deps, service.businessId, { url: hanging.url, actor: "operator" });
    await setWebhook(deps, other.businessId, { url: fine.url, actor: "operator" });
    const tiles = Array.from({ length: 40 }, (_, n) => ({ board_id: service.boardId, url: `${origin.url}/a${n}` }));
    expect((await service.call("POST", "/api/inbound/tiles/batch", { body: { tiles } })).status).toBe(200);
    await until("hanging deliveries", () => hanging.received.length >= 4);

    const { json } = await service.call("POST", "/api/inbound/tiles", { key, body: { board_id: other.boardId, url: `${origin.url}/b` } });
    await until("the other business's event", () => fine.of(json.tile.id)[0]);
    for (let n = 0; n < 60; n++) expect((await service.call("GET", "/api/board/boards")).status).toBe(200);
    // Every delivery to the hanging receiver is still running, so nothing waited for one.
    expect(hanging.received.length).toBeLessThanOrEqual(8);
  } finally {
    await Promise.all([hanging.close(), fine.close(), origin.close()]);
    await service.stop();
  }
});
