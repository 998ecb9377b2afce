import { verifyWebhook } from "@tessera/sdk";
import type { Requirement } from "../../requirement.ts";
import { asFields, equal, holds, isStatus } from "../../expect.ts";
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

/** Names of parameters are a server's own affair. */
const nameless = (path: string): string => path.replaceAll(/\{[^}]*\}/g, "{}");

export const serviceAdditions: readonly Requirement[] = [
  {
    id: "D-116",
    section: "Webhooks",
    statement:
      "Events carry `webhook-id`, `webhook-timestamp` and `webhook-signature` of Standard Webhooks beside the specification's header.",
    check: async function eventsCarryStandardHeaders(t) {
      const { delivery } = await readyEvent(t);
      for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"])
        holds(Boolean(delivery.headers[name]), `no ${name} header`);
      const event = await verifyWebhook({ body: delivery.body, headers: delivery.headers, secret: t.receiver().secret });
      equal(event.event, "tile.ready", "event");
    },
  },
  {
    id: "D-117",
    section: "Webhooks",
    statement:
      "Addresses that point inward are refused; one attempt of 10 s; redirects are not followed; rotation overlaps; attempts are logged.",
    unchecked: "the webhook's settings and log are a page for people, not part of the interface",
  },
  {
    id: "D-118",
    section: "People and keys",
    statement: "Only an owner sees or sets the webhook; owners and admins make keys; settings changes are audited.",
    unchecked: "settings are a page for people, not part of the interface",
  },
  {
    id: "D-119",
    section: "Operations › Probes",
    statement: "`GET /health/live` and `GET /health/ready` answer 200 without a key.",
    check: async function healthIsTold(t) {
      for (const path of ["/health/live", "/health/ready"]) isStatus(await t.call("GET", path, { key: null }), 200);
    },
  },
  {
    id: "D-120",
    section: "Operations › Probes",
    statement: "`GET /openapi.json` lists every documented path and method.",
    check: async function openapiListsEveryPath(t) {
      const reply = await t.call("GET", "/openapi.json", { key: null });
      isStatus(reply, 200);
      const document = asFields(reply.json, "openapi.json");
      holds(String(document["openapi"]).startsWith("3."), `expected OpenAPI 3, got ${String(document["openapi"])}`);
      const listed = new Map(
        Object.entries(asFields(document["paths"], "paths")).map(([path, methods]) => [nameless(path), asFields(methods, path)]),
      );
      const generation = (await hasGeneration(t)) ? Object.fromEntries(GENERATION_PATHS.map((path) => [path, ["post"]])) : {};
      const missing = Object.entries({ ...PATHS, ...generation }).flatMap(([path, methods]) =>
        methods.filter((method) => !listed.get(nameless(path))?.[method]).map((method) => `${method.toUpperCase()} ${path}`),
      );
      equal(missing, [], "documented operations that openapi.json lacks");
    },
  },
  {
    id: "D-121",
    section: "Operations › Probes",
    statement: "`GET /docs` serves the API reference.",
    check: async function docsAreServed(t) {
      const reply = await t.call("GET", "/docs", { key: null });
      holds(reply.status === 200 || (reply.status >= 301 && reply.status <= 308), `GET /docs: expected a page, got status ${reply.status}`);
    },
  },
  {
    id: "D-122",
    section: "Versions",
    statement: "Changes are additive; what must break gets a new path and the old one a `Sunset` header.",
    unchecked: "a promise about later versions",
  },
];
