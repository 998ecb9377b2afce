import { verifyWebhook } from "@tessera-board/sdk";
import { defineRequirements } from "../../requirement.ts";
import { toObject, assertEqual, assert, assertStatus } from "../../expect.ts";
import { readyEvent } from "../spec/events.ts";
import { GENERATION_PATHS, hasGeneration } from "../../generation.ts";

const PATHS: Readonly<Record<string, readonly string[]>> = {
  "/api/board/boards": ["get"],
  "/api/board/{boardId}/zones": ["get", "post"],
  "/api/board/zones/{zoneId}": ["patch", "delete"],
  "/api/board/{boardId}/tiles": ["get", "post"],
  "/api/board/tiles/{tileId}": ["patch", "delete"],
  "/api/board/{boardId}/files": ["post"],
  "/api/board/{boardId}/ask": ["get", "post"],
  "/api/inbound/tiles": ["post"],
  "/api/inbound/tiles/batch": ["post"],
  "/api/board/{boardId}/search": ["get"],
  "/api/me": ["get"],
};

/** Servers may name the parameters of a path differently. */
const withoutParameterNames = (path: string): string => path.replaceAll(/\{[^}]*\}/g, "{}");

export const serviceAdditions = defineRequirements("Operations › Probes", {
  "D-116": {
    section: "Webhooks",
    statement:
      "Events have the Standard Webhooks headers `webhook-id`, `webhook-timestamp` and `webhook-signature` in addition to the header of the specification.",
    check: async function eventsHaveStandardHeaders(t) {
      const { delivery } = await readyEvent(t);
      for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"])
        assert(Boolean(delivery.headers[name]), `no ${name} header`);
      const event = await verifyWebhook({ body: delivery.body, headers: delivery.headers, secret: t.receiver().secret });
      assertEqual(event.event, "tile.ready", "event");
    },
  },
  "D-117": {
    section: "Webhooks",
    statement:
      "Private addresses are rejected; there is one attempt of 10 s; redirects are not followed; a rotated secret overlaps; attempts are logged.",
    unchecked: "the settings and the log of the webhook are not part of the interface",
  },
  "D-118": {
    section: "People and keys",
    statement: "Only owners see and set the webhook; owners and admins create keys; changes to settings are audited.",
    unchecked: "settings are not part of the interface",
  },
  "D-119": {
    statement: "`GET /health/live` and `GET /health/ready` return 200 without a key.",
    check: async function healthIsReported(t) {
      for (const path of ["/health/live", "/health/ready"]) assertStatus(await t.call("GET", path, { key: null }), 200);
    },
  },
  "D-120": {
    statement: "`GET /openapi.json` lists every documented path and method.",
    check: async function openapiListsEveryPath(t) {
      const reply = await t.call("GET", "/openapi.json", { key: null });
      assertStatus(reply, 200);
      const document = toObject(reply.json, "openapi.json");
      assert(String(document["openapi"]).startsWith("3."), `expected OpenAPI 3, got ${String(document["openapi"])}`);
      const listed = new Map(
        Object.entries(toObject(document["paths"], "paths")).map(([path, methods]) => [
          withoutParameterNames(path),
          toObject(methods, path),
        ]),
      );
      const generation = (await hasGeneration(t)) ? Object.fromEntries(GENERATION_PATHS.map((path) => [path, ["post"]])) : {};
      const missing = Object.entries({ ...PATHS, ...generation }).flatMap(([path, methods]) =>
        methods.filter((method) => !listed.get(withoutParameterNames(path))?.[method]).map((method) => `${method.toUpperCase()} ${path}`),
      );
      assertEqual(missing, [], "documented operations that are missing in openapi.json");
    },
  },
  "D-121": {
    statement: "`GET /docs` serves the API reference.",
    check: async function docsAreServed(t) {
      const reply = await t.call("GET", "/docs", { key: null });
      assert(
        reply.status === 200 || (reply.status >= 301 && reply.status <= 308),
        `GET /docs: expected a page, got status ${reply.status}`,
      );
    },
  },
  "D-122": {
    section: "Versions",
    statement: "Changes are additive; a breaking change gets a new path, and the old path a `Sunset` header.",
    unchecked: "concerns later versions",
  },
});
