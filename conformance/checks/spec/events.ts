import { createHmac, timingSafeEqual } from "node:crypto";
import type { Check, Requirement } from "../../requirement.ts";
import { asFields, equal, hasFields, holds, isStatus, Skip } from "../../expect.ts";
import type { Probe } from "../../probe.ts";
import type { Delivery } from "../../receiver.ts";
import { needGeneration } from "../../generation.ts";

const WAIT_MS = 15_000;

/** Ingests the tester's page and answers the event of it. */
export async function readyEvent(t: Probe): Promise<{ readonly delivery: Delivery; readonly tileId: string }> {
  const receiver = t.receiver();
  const tile = await t.inbound({ url: t.need("pageUrl"), title: `Event ${t.nonce()}` });
  const delivery = await receiver.first(tile.id, WAIT_MS);
  holds(delivery !== null, `no tile.ready for the ingested page within ${WAIT_MS / 1000} s`);
  return { delivery, tileId: tile.id };
}

const bodyOf = (delivery: Delivery) => asFields(JSON.parse(delivery.body.toString("utf8")), "the event");

const signed: Check = async (t) => {
  const { delivery } = await readyEvent(t);
  const expected = createHmac("sha256", t.receiver().secret).update(delivery.body).digest();
  const header = String(delivery.headers["x-service-signature"] ?? "");
  holds(/^[0-9a-f]{64}$/i.test(header), `X-Service-Signature: expected 64 hexadecimal digits, got ${header || "nothing"}`);
  holds(
    timingSafeEqual(Buffer.from(header, "hex"), expected),
    "X-Service-Signature is not the HMAC-SHA256 of the raw body keyed with the secret",
  );
};

const tileReady: Check = async (t) => {
  const { delivery, tileId } = await readyEvent(t);
  const { event, payload } = bodyOf(delivery);
  equal(event, "tile.ready", "event");
  const fields = asFields(payload, "payload");
  hasFields(fields, { tileId: "string", boardId: "string", title: "string", type: "string" }, "payload");
  equal([fields["tileId"], fields["boardId"]], [tileId, t.board.id], "tileId and boardId");
};

const enveloped: Check = async (t) => {
  const { delivery } = await readyEvent(t);
  equal(delivery.method, "POST", "method");
  holds(
    /^application\/json\b/.test(delivery.headers["content-type"] ?? ""),
    `expected application/json, got ${delivery.headers["content-type"]}`,
  );
  hasFields(bodyOf(delivery), { event: "string", payload: "object", sentAt: "time" }, "the event");
};

const generationComplete: Check = async (t) => {
  await needGeneration(t);
  const receiver = t.receiver();
  await t.tile({ content: "Lighthouses were lit with whale oil before kerosene." });
  for (const [endpoint, body] of [
    ["/api/v1/generate", { asset_type: "video" }],
    ["/api/v1/idea", {}],
  ] as const) {
    const reply = await t.call("POST", endpoint, { body: { board_id: t.board.id, prompt: "Lighthouses", ...body } });
    if (reply.status !== 202) isStatus(reply, 200);
    const generation = asFields(asFields(reply.json, "the body")["generation"], "generation");
    const delivery = await receiver.first(String(generation["id"]), WAIT_MS);
    if (delivery === null && generation["status"] === "failed") throw new Skip("the service's model does not answer");
    holds(delivery !== null, `no generation.complete for ${endpoint} within ${WAIT_MS / 1000} s`);
    const { event, payload } = bodyOf(delivery);
    const fields = asFields(payload, "payload");
    equal(event, "generation.complete", "event");
    equal(
      [fields["generationId"], fields["boardId"], fields["endpoint"]],
      [generation["id"], t.board.id, endpoint],
      "generationId, boardId, endpoint",
    );
    if (endpoint === "/api/v1/generate") equal(fields["assetType"], "video", "assetType");
    else holds(!("assetType" in fields), "the event of an idea call carries assetType");
  }
};

export const eventRequirements: readonly Requirement[] = [
  {
    id: "S-075",
    section: "Events",
    statement: "Events are HTTP POST requests with a JSON body to the business's webhook URL.",
    check: enveloped,
  },
  {
    id: "S-076",
    section: "Events › Envelope",
    statement: "The envelope has event, payload and sentAt, an ISO 8601 UTC timestamp with milliseconds.",
    check: enveloped,
  },
  {
    id: "S-077",
    section: "Outbound webhook authentication; Events",
    statement: "Every request carries `X-Service-Signature`: hex HMAC-SHA256 of the exact raw body, keyed with the webhook secret.",
    check: signed,
  },
  {
    id: "S-078",
    section: "Events › tile.ready; States and transitions",
    statement: "tile.ready is emitted when a link's ingestion finishes, with tileId, boardId, title and type.",
    check: tileReady,
  },
  {
    id: "S-079",
    section: "Events › tile.ready",
    statement: "tile.ready is emitted once.",
    check: async function tileReadyComesOnce(t) {
      const { tileId } = await readyEvent(t);
      await t.pause(1500);
      equal(t.receiver().with(tileId).length, 1, "events of the tile");
    },
  },
  {
    id: "S-080",
    section: "Events › tile.ready",
    statement: "A text tile, which is never ingested, emits no tile.ready.",
    check: async function textTileEmitsNothing(t) {
      const receiver = t.receiver();
      const { id } = await t.tile();
      await t.pause(1500);
      equal(receiver.with(id).length, 0, "events of a text tile");
    },
  },
  {
    id: "S-081",
    section: "Events › generation.complete; Other operations",
    statement:
      "generation.complete follows a generate or idea call, with generationId, boardId, endpoint, and assetType only for generate.",
    check: generationComplete,
  },
  {
    id: "S-082",
    section: "Events",
    statement: "Delivery is best-effort and not guaranteed; there are no retries.",
    unchecked: "a receiver that fails on purpose would lose the tester's other events",
  },
  {
    id: "S-083",
    section: "Outbound webhook authentication",
    statement: "The webhook URL is set in the business settings, by the Owner only.",
    unchecked: "settings are a page for people, not part of the interface",
  },
  {
    id: "S-084",
    section: "Outbound webhook authentication",
    statement: "The secret is displayed once when the URL is set; afterwards it can only be rotated.",
    unchecked: "settings are a page for people, not part of the interface",
  },
  {
    id: "S-085",
    section: "Outbound webhook authentication",
    statement: "A receiver verifies over the raw body, in constant time.",
    unchecked: "binds receivers; the SDK's verifyWebhook does so",
  },
  {
    id: "S-086",
    section: "Limits; Versioning",
    statement: "Limits, pagination, time-outs and the versioning policy are not shown.",
    unchecked: "says that nothing is there to check",
  },
];
