import type { Static } from "typebox";
import { invalid } from "#domain/core/error.ts";
import { type Zone, type ZonePatch, isEmoji } from "#domain/content/zone.ts";
import { grantBoard, grantZone } from "#service/access.ts";
import { createZone, deleteZone, listZones, restoreZone, updateZone } from "#service/content/zones.ts";
import { formatEtag, readIfMatch, sendCreated } from "../response/answers.ts";
import { type AnyRoute, defineRoute } from "../route.ts";
import { readIdempotencyKey } from "../request/idempotency.ts";
import { bypassesCache, createListingKey } from "../fast-path/listing-name.ts";
import { sendNotModified } from "../listing/validators.ts";
import { presentZone } from "../wire/content.ts";
import type { Inputs } from "../wire/inputs.ts";
import { OUTPUTS } from "../wire/outputs.ts";

function patchOf(body: Partial<Static<Inputs["zoneUpdate"]>>): ZonePatch {
  const { name, connected_to_chat: connectedToChat, color, emoji, size, sort_order: sortOrder } = body;
  if (typeof emoji === "string" && !isEmoji(emoji)) throw invalid("emoji must be one emoji or null.");
  const given = Object.entries({ name, connectedToChat, color, emoji, size, sortOrder }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as ZonePatch;
}

export function zoneRoutes(inputs: Inputs): AnyRoute[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/board/:boardId/zones",
      tag: "Zones",
      summary: "List zones",
      query: inputs.page,
      response: OUTPUTS.zones,
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "read"),
      async handle({ deps, authorized, query, request, reply }) {
        const { id } = authorized.target;
        const revisions = await deps.store.boards.revisions(authorized.target);
        const name = createListingKey(request, inputs.page, id, { limit: query.limit, cursor: query.cursor });
        const listing = `zones ${id}`;
        const [sortOrder, after] = query.cursor === undefined ? [] : deps.cursors.read(listing, query.cursor);
        if (sendNotModified(request, reply, { key: name.key, part: "zones" }, revisions)) return reply;
        const cached = bypassesCache(request) ? undefined : deps.listings.get(name, authorized, revisions);
        if (cached !== undefined) return cached;
        const place = after === undefined ? null : { sortOrder: Number(sortOrder), id: String(after) };
        const limit = query.limit ?? (query.cursor === undefined ? null : 500);
        const zones = await listZones(deps, authorized, place, limit === null ? null : limit + 1);
        const page = limit === null ? zones : zones.slice(0, limit);
        const last = page.at(-1);
        const isEnd = page.length === zones.length || last === undefined;
        const text = JSON.stringify({
          zones: page.map(presentZone),
          ...(limit === null ? {} : { nextCursor: isEnd ? null : deps.cursors.write(listing, [last.sortOrder, last.id]) }),
        });
        return deps.listings.set(name, { route: request.routeOptions.url ?? "", boardId: id, basis: "zones" }, revisions, text);
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/board/:boardId/zones",
      tag: "Zones",
      summary: "Create a zone",
      body: inputs.zoneCreate,
      response: OUTPUTS.zone,
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "write"),
      async handle({ deps, actor, authorized, body, request, reply }) {
        const render = (zone: Zone) => JSON.stringify({ zone: presentZone(zone) });
        const once = readIdempotencyKey(request, actor, deps.clock.now(), render);
        return sendCreated(reply, await createZone(deps, authorized, { ...patchOf(body), name: body.name }, once), render);
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/board/zones/:zoneId",
      tag: "Zones",
      summary: "Read a zone",
      response: OUTPUTS.zone,
      guard: (deps, actor, { zoneId = "" }) => grantZone(deps, actor, zoneId, "read"),
      async handle({ authorized: { zone }, reply }) {
        reply.header("ETag", formatEtag(zone.version));
        return { zone: presentZone(zone) };
      },
    }),
    defineRoute({
      method: "PATCH",
      path: "/api/board/zones/:zoneId",
      tag: "Zones",
      summary: "Update a zone",
      body: inputs.zoneUpdate,
      response: OUTPUTS.zone,
      guard: (deps, actor, { zoneId = "" }) => grantZone(deps, actor, zoneId, "write"),
      async handle({ deps, authorized: { scope, zone }, body, request, reply }) {
        const updated = await updateZone(deps, scope, zone, patchOf(body), readIfMatch(request));
        reply.header("ETag", formatEtag(updated.version));
        return { zone: presentZone(updated) };
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/board/zones/:zoneId",
      tag: "Zones",
      summary: "Delete a zone and every tile inside it",
      description: "It can be restored for 30 days, with its tiles.",
      response: OUTPUTS.ok,
      guard: (deps, actor, { zoneId = "" }) => grantZone(deps, actor, zoneId, "write"),
      async handle({ deps, authorized: { scope, zone }, request }) {
        await deleteZone(deps, scope, zone, readIfMatch(request));
        return { ok: true };
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/board/zones/:zoneId/restore",
      tag: "Zones",
      summary: "Restore a deleted zone with the tiles that went with it",
      response: OUTPUTS.zone,
      guard: (deps, actor, { zoneId = "" }) => grantZone(deps, actor, zoneId, "write", true),
      async handle({ deps, authorized: { scope, zone } }) {
        return { zone: presentZone(await restoreZone(deps, scope, zone)) };
      },
    }),
  ];
}
