import { afterAll, beforeAll, expect, it } from "vitest";
import { authorizeBoard } from "#service/access.ts";
import { createInboundAddress, formatInboundUrl } from "#service/settings/inbound-addresses.ts";
import { setWebhook } from "#service/settings/webhooks.ts";
import { openProbe } from "../../conformance/probe.ts";
import { openReceiver } from "../../conformance/receiver.ts";
import { REQUIREMENTS } from "../../conformance/requirements.ts";
import { listChecks } from "../../conformance/runner.ts";
import { serveArticle, startOrigin } from "../support/servers/origin.ts";
import { startTestService } from "../support/service.ts";

/** The scenarios of the interface. `npm run conformance` runs the same ones against a deployed server. */
const CHECKS = listChecks(REQUIREMENTS).map(({ check, claims }) => ({
  check,
  claims: claims.join(" "),
  statement: REQUIREMENTS.find(({ id }) => id === claims[0])?.statement,
}));

/** Starts a service with a webhook and a page to read, and connects to it with keys of every kind. */
async function startSuite() {
  const origin = await startOrigin(serveArticle);
  const receiver = await openReceiver(0, "");
  const service = await startTestService({
    FETCH_ALLOW: `127.0.0.1:${origin.port}`,
    WEBHOOK_ALLOW: `127.0.0.1:${receiver.port}`,
    RATE_LIMIT_PER_MINUTE: "100000",
    RATE_LIMIT_ASK_PER_MINUTE: "10000",
  });
  const { secret } = await setWebhook(service.appContext.deps, service.businessId, {
    url: `http://127.0.0.1:${receiver.port}/`,
    actor: "operator",
  });
  const scopedBoard: string = (await service.call("POST", "/api/board/boards", { body: { name: "Scoped" } })).json.board.id;
  const address = await createInboundAddress(
    service.appContext.deps,
    await authorizeBoard(service.appContext.deps, { kind: "operator", businessId: service.businessId }, service.boardId, "write"),
    { name: "Conformance", zoneId: null, tags: [], signature: null },
  );
  const options = {
    url: service.url,
    inboundUrl: formatInboundUrl(service.url, address.token),
    key: service.key,
    scopedKey: (await service.newKey({ boardId: scopedBoard })).key,
    scopedBoard,
    readKey: (await service.newKey({ permission: "read" })).key,
    inboundKey: (await service.newKey({ permission: "inbound" })).key,
    pageUrl: `${origin.url}/article`,
  };
  const probe = await openProbe(options, { ...receiver, secret });
  const stop = async (): Promise<void> => {
    await probe.close();
    await Promise.all([service.stop(), origin.close(), receiver.close()]);
  };
  return { probe, stop };
}

let suite: Awaited<ReturnType<typeof startSuite>>;
beforeAll(async () => {
  suite = await startSuite();
});
afterAll(() => suite.stop());

it.each(CHECKS)("$claims: $statement", ({ check }) => check(suite.probe));

it("most requirements are checked", () => {
  expect(CHECKS.length).toBeGreaterThan(160);
});
