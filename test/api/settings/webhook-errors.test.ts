import { expect, test } from "vitest";
import { errorResponse, getError } from "../../support/people/settings.ts";
import { dumpBusiness } from "../../support/test-data.ts";
import { WEBHOOK, DELIVERIES, service, people, ask, set, waitForDelivery, sendTest, useWebhookService } from "./support/webhook-service.ts";

useWebhookService();

const EVENTS = "events must be some of tile.ready, generation.complete, tile.failed, tile.updated, generation.failed.";

test.each([
  [{}, "url is required."],
  [{ url: " " }, "url is required."],
  [{ url: 7 }, "url must be a string."],
  [{ url: "ftp://example.com/" }, "url must be an http or https address."],
  [{ url: "javascript:alert(1)" }, "url must be an http or https address."],
  [{ url: "https://a:b@example.com/" }, "url must not carry credentials."],
  [{ url: `https://example.com/${"x".repeat(2_100)}` }, "url is too long."],
  [{ url: "http://10.0.0.1/" }, "url points inside the network. A receiver on your own network needs its host:port in WEBHOOK_ALLOW."],
  [{ url: "https://example.com/", events: "tile.ready" }, "events must be an array."],
  [{ url: "https://example.com/", events: ["tile.gone"] }, EVENTS],
  [{ url: "https://example.com/", events: [null] }, EVENTS],
  [{ url: "https://example.com/", events: [{ a: 1 }] }, EVENTS],
  [{ url: "https://example.com/", events: ["test"] }, EVENTS],
  [
    { url: "https://example.com/", events: Array.from({ length: 21 }, () => "tile.ready") },
    "events has too many items. The maximum is 20.",
  ],
])("a webhook with %j is rejected per field, and the current one stays", async (body, message) => {
  const { webhook } = await set();
  expect(getError(await ask("POST", WEBHOOK, body))).toEqual(errorResponse(400, message));
  if ("url" in body && body.url !== " ") expect(getError(await ask("PATCH", WEBHOOK, body))).toEqual(errorResponse(400, message));
  expect((await ask("GET", WEBHOOK)).json.webhook).toEqual(webhook);
});

test("a blank address, an invalid overlap and an invalid cursor are reported, and 404 comes before the body is read", async () => {
  await set();
  expect(getError(await ask("PATCH", WEBHOOK, { url: "" }))).toEqual(errorResponse(400, "url must not be blank."));
  for (const overlap of [-1, 721, 1.5, "long"])
    expect(getError(await ask("POST", `${WEBHOOK}/rotate`, { overlap_hours: overlap }))).toEqual(
      errorResponse(400, "overlap_hours must be a whole number from 0 to 720."),
    );
  const theirs = (await people.owner.call("GET", "/api/settings/audit?limit=1")).json.nextCursor;
  for (const cursor of ["x", theirs])
    expect(getError(await ask("GET", `${DELIVERIES}?cursor=${cursor}`))).toEqual(errorResponse(400, "cursor is not valid."));
  expect(getError(await ask("GET", `${DELIVERIES}?limit=0`))).toEqual(errorResponse(400, "limit must be a whole number from 1 to 500."));
  for (const [method, path] of [
    ["GET", `${DELIVERIES}/dlv_unknown`],
    ["POST", `${DELIVERIES}/dlv_unknown/redeliver`],
  ] as const)
    expect(getError(await ask(method, path))).toEqual(errorResponse(404, "Delivery not found."));
  await ask("DELETE", WEBHOOK);
  const missing = errorResponse(404, "Webhook not found.");
  expect(getError(await ask("PATCH", WEBHOOK, "{ not json"))).toEqual(missing);
  expect(getError(await ask("POST", `${WEBHOOK}/rotate`, "{ not json"))).toEqual(missing);
  expect(getError(await ask("POST", `${WEBHOOK}/test`))).toEqual(missing);
});

test("owners of another business see and change nothing of the webhook", async () => {
  await set();
  const id = await sendTest();
  await waitForDelivery(id);
  const before = await dumpBusiness(service, service.businessId);
  for (const [method, path] of [
    ["GET", `${DELIVERIES}/${id}`],
    ["POST", `${DELIVERIES}/${id}/redeliver`],
  ] as const)
    expect(getError(await people.stranger.call(method, path))).toEqual(errorResponse(404, "Delivery not found."));
  expect((await people.stranger.call("GET", WEBHOOK)).json).toEqual({ webhook: null });
  expect((await people.stranger.call("GET", DELIVERIES)).json).toEqual({ deliveries: [], nextCursor: null });
  expect(await dumpBusiness(service, service.businessId)).toBe(before);
});
