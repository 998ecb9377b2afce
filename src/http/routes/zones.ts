import type { Zone } from "#domain/content/zone.ts";
import { authorizeBoard, authorizeZone } from "#service/access.ts";
import { createZone, deleteZone, restoreZone, updateZone } from "#service/content/zones.ts";
import { createDisconnectSignal } from "../response/connection/disconnect.ts";
import { formatEtag, readIfMatch } from "../response/etag.ts";
import { sendCreatedVersion } from "../response/raw-json.ts";
import { type AnyRoute, defineRoute } from "../route.ts";
import { readIdempotencyKey } from "../request/idempotency.ts";
import { sendZoneListing } from "../listing/zones.ts";
import { type InputLimits, OK, PAGE_QUERY } from "../wire/schema.ts";
import { presentLost } from "../wire/tiles/tile.ts";
import { ZONE_RESPONSES, createZoneInputs, presentZone, readZonePatch } from "../wire/zone.ts";

type Inputs = ReturnType<typeof createZoneInputs>;

const listZonesRoute = defineRoute({
  method: "GET",
  path: "/api/board/:boardId/zones",
  operationId: "listZones",
  tag: "Zones",
  summary: "List zones",
  description: "In the order of the board.",
  query: PAGE_QUERY,
  isRevalidated: true,
  response: ZONE_RESPONSES.zones,
  guard: (deps, actor, { boardId = "" }) => authorizeBoard(deps, actor, boardId, "read"),
  handle: sendZoneListing,
});

const createZoneRoute = (inputs: Inputs) =>
  defineRoute({
    method: "POST",
    path: "/api/board/:boardId/zones",
    operationId: "createZone",
    tag: "Zones",
    summary: "Create a zone",
    description: "New zones are connected to chat unless connected_to_chat is false.",
    body: inputs.create,
    headers: ["Idempotency-Key"],
    isVersioned: true,
    response: ZONE_RESPONSES.zone,
    guard: (deps, actor, { boardId = "" }) => authorizeBoard(deps, actor, boardId, "write"),
    async handle({ deps, actor, authorized, body, request, reply }) {
      const present = (zone: Zone) => ({ zone: presentZone(zone) });
      const idempotency = readIdempotencyKey(request, actor, deps.clock.now(), present);
      return sendCreatedVersion(
        reply,
        await createZone(deps, authorized, { ...readZonePatch(body), name: body.name }, idempotency),
        present,
      );
    },
  });

const readZoneRoute = defineRoute({
  method: "GET",
  path: "/api/board/zones/:zoneId",
  operationId: "getZone",
  tag: "Zones",
  summary: "Get a zone",
  description: "The ETag of the response can be sent as If-Match.",
  isVersioned: true,
  response: ZONE_RESPONSES.zone,
  guard: (deps, actor, { zoneId = "" }) => authorizeZone(deps, actor, zoneId, "read"),
  async handle({ authorized: { zone }, reply }) {
    reply.header("ETag", formatEtag(zone.version));
    return { zone: presentZone(zone) };
  },
});

const updateZoneRoute = (inputs: Inputs) =>
  defineRoute({
    method: "PATCH",
    path: "/api/board/zones/:zoneId",
    operationId: "updateZone",
    tag: "Zones",
    summary: "Update a zone",
    description: "Changes the fields that are sent; the others keep their value.",
    body: inputs.update,
    headers: ["If-Match"],
    isVersioned: true,
    response: ZONE_RESPONSES.zone,
    guard: (deps, actor, { zoneId = "" }) => authorizeZone(deps, actor, zoneId, "write"),
    async handle({ deps, authorized: { scope, zone }, body, request, reply }) {
      const updated = await updateZone(deps, scope, zone, readZonePatch(body), readIfMatch(request));
      reply.header("ETag", formatEtag(updated.version));
      return { zone: presentZone(updated) };
    },
  });

const deleteZoneRoute = defineRoute({
  method: "DELETE",
  path: "/api/board/zones/:zoneId",
  operationId: "deleteZone",
  tag: "Zones",
  summary: "Delete a zone and its tiles",
  description: "The zone can be restored for 30 days, with its tiles. If a call for a zone with many tiles fails half-way, repeat it.",
  headers: ["If-Match"],
  response: OK,
  guard: (deps, actor, { zoneId = "" }) => authorizeZone(deps, actor, zoneId, "write"),
  async handle({ deps, authorized: { scope, zone }, request, reply }) {
    await deleteZone(deps, scope, zone, readIfMatch(request), createDisconnectSignal(reply));
    return { ok: true };
  },
});

const restoreZoneRoute = defineRoute({
  method: "POST",
  path: "/api/board/zones/:zoneId/restore",
  operationId: "restoreZone",
  tag: "Zones",
  summary: "Restore a deleted zone and the tiles deleted with it",
  description: "Restores a zone that was deleted in the last 30 days. If a call for a zone with many tiles fails half-way, repeat it.",
  isVersioned: true,
  response: ZONE_RESPONSES.restored,
  guard: (deps, actor, { zoneId = "" }) => authorizeZone(deps, actor, zoneId, "write", true),
  async handle({ deps, authorized: { scope, zone }, reply }) {
    const restored = await restoreZone(deps, scope, zone, createDisconnectSignal(reply));
    reply.header("ETag", formatEtag(restored.zone.version));
    return { zone: presentZone(restored.zone), ...presentLost(restored.lostExternalIds) };
  },
});

export function zoneRoutes(limits: InputLimits): AnyRoute[] {
  const inputs = createZoneInputs(limits);
  return [listZonesRoute, createZoneRoute(inputs), readZoneRoute, updateZoneRoute(inputs), deleteZoneRoute, restoreZoneRoute];
}
