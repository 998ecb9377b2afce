import { createHmac, timingSafeEqual } from "node:crypto";
import { type Check, defineRequirements } from "../../requirement.ts";
import { assertMatch, toObject, assertEqual, assertFields, assert, assertStatus, Skip } from "../../expect.ts";
import type { Probe } from "../../probe.ts";
import type { Delivery } from "../../receiver.ts";
import { requireGeneration } from "../../generation.ts";

const WAIT_MS = 15_000;

/** Ingests the page of the option `--page-url`, and returns its event. */
export async function readyEvent(t: Probe): Promise<{ readonly delivery: Delivery; readonly tileId: string }> {
  const receiver = t.receiver();
  const tile = await t.inbound({ url: t.option("pageUrl"), title: `Event ${t.nonce()}` });
  const delivery = await receiver.first(tile.id, WAIT_MS);
  assert(delivery !== null, `no tile.ready for the ingested page within ${WAIT_MS / 1000} s`);
  return { delivery, tileId: tile.id };
}

const parseBody = (delivery: Delivery) => toObject(JSON.parse(delivery.body.toString("utf8")), "the event");

const eventIsSigned: Check = async (t) => {
  const { delivery } = await readyEvent(t);
  const expected = createHmac("sha256", t.receiver().secret).update(delivery.body).digest();
  const header = String(delivery.headers["x-service-signature"] ?? "");
  assert(/^[0-9a-f]{64}$/i.test(header), `X-Service-Signature: expected 64 hexadecimal digits, got ${header || "nothing"}`);
  assert(
    timingSafeEqual(Buffer.from(header, "hex"), expected),
    "X-Service-Signature is not the HMAC-SHA256 of the raw body keyed with the secret",
  );
};

const tileReadyIsSent: Check = async (t) => {
  const { delivery, tileId } = await readyEvent(t);
  const { event, payload } = parseBody(delivery);
  assertEqual(event, "tile.ready", "event");
  const fields = toObject(payload, "payload");
  assertFields(fields, { tileId: "string", boardId: "string", title: "string", type: "string" }, "payload");
  assertMatch(fields, { tileId, boardId: t.board.id }, "payload");
};

const eventHasEnvelope: Check = async (t) => {
  const { delivery } = await readyEvent(t);
  assertEqual(delivery.method, "POST", "method");
  assert(
    /^application\/json\b/.test(delivery.headers["content-type"] ?? ""),
    `expected application/json, got ${delivery.headers["content-type"]}`,
  );
  assertFields(parseBody(delivery), { event: "string", payload: "object", sentAt: "time" }, "the event");
};

const generationCompleteIsSent: Check = async (t) => {
  await requireGeneration(t);
  const receiver = t.receiver();
  await t.tile({ content: "Lighthouses were lit with whale oil before kerosene." });
  for (const [endpoint, body] of [
    ["/api/v1/generate", { asset_type: "video" }],
    ["/api/v1/idea", {}],
  ] as const) {
    const reply = await t.call("POST", endpoint, { body: { board_id: t.board.id, prompt: "Lighthouses", ...body } });
    if (reply.status !== 202) assertStatus(reply, 200);
    const generation = toObject(toObject(reply.json, "the body")["generation"], "generation");
    const delivery = await receiver.first(String(generation["id"]), WAIT_MS);
    if (delivery === null && generation["status"] === "failed")
      throw new Skip("the generation failed, perhaps because the model is not reachable");
    assert(delivery !== null, `no generation.complete for ${endpoint} within ${WAIT_MS / 1000} s`);
    const { event, payload } = parseBody(delivery);
    const fields = toObject(payload, "payload");
    assertEqual(event, "generation.complete", "event");
    assertMatch(fields, { generationId: generation["id"], boardId: t.board.id, endpoint }, "payload");
    if (endpoint === "/api/v1/generate") assertEqual(fields["assetType"], "video", "assetType");
    else assert(!("assetType" in fields), "the event of an idea call has assetType");
  }
};

export const eventRequirements = defineRequirements("Outbound webhook authentication", {
  "S-075": {
    section: "Events",
    statement: "Events are HTTP POST requests with a JSON body to the business's webhook URL.",
    check: eventHasEnvelope,
  },
  "S-076": {
    section: "Events › Envelope",
    statement: "The envelope has event, payload and sentAt, an ISO 8601 UTC timestamp with milliseconds.",
    check: eventHasEnvelope,
  },
  "S-077": {
    section: "Outbound webhook authentication; Events",
    statement: "Every request carries `X-Service-Signature`: hex HMAC-SHA256 of the exact raw body, keyed with the webhook secret.",
    check: eventIsSigned,
  },
  "S-078": {
    section: "Events › tile.ready; States and transitions",
    statement: "tile.ready is emitted when a link's ingestion finishes, with tileId, boardId, title and type.",
    check: tileReadyIsSent,
  },
  "S-079": {
    section: "Events › tile.ready",
    statement: "tile.ready is emitted once.",
    check: async function tileReadyComesOnce(t) {
      const { tileId } = await readyEvent(t);
      await t.pause(1500);
      assertEqual(t.receiver().with(tileId).length, 1, "events of the tile");
    },
  },
  "S-080": {
    section: "Events › tile.ready",
    statement: "A text tile, which is never ingested, emits no tile.ready.",
    check: async function textTileEmitsNothing(t) {
      const receiver = t.receiver();
      const { id } = await t.tile();
      await t.pause(1500);
      assertEqual(receiver.with(id).length, 0, "events of a text tile");
    },
  },
  "S-081": {
    section: "Events › generation.complete; Other operations",
    statement:
      "generation.complete follows a generate or idea call, with generationId, boardId, endpoint, and assetType only for generate.",
    check: generationCompleteIsSent,
  },
  "S-082": {
    section: "Events",
    statement: "Delivery is best-effort and not guaranteed; there are no retries.",
    unchecked: "a receiver that fails on purpose would lose other events of the tester",
  },
  "S-083": {
    statement: "The webhook URL is set in the business settings, by the Owner only.",
    unchecked: "settings are not part of the interface",
  },
  "S-084": {
    statement: "The secret is displayed once when the URL is set; afterwards it can only be rotated.",
    unchecked: "settings are not part of the interface",
  },
  "S-085": {
    statement: "A receiver verifies over the raw body, in constant time.",
    unchecked: "concerns receivers; verifyWebhook of the SDK does so",
  },
  "S-086": {
    section: "Limits; Versioning",
    statement: "Limits, pagination, time-outs and the versioning policy are not shown.",
    unchecked: "states nothing that can be checked",
  },
});
