import type { Static } from "typebox";
import { invalid } from "#domain/core/error.ts";
import { type Zone, type ZonePatch, isEmoji } from "#domain/content/zone.ts";
import { grantBoard, grantZone } from "#service/access.ts";
import { createZone, deleteZone, listZones, restoreZone, updateZone } from "#service/content/zones.ts";
import { etagOf, ifMatchOf, sendOnce } from "../answer/answers.ts";
import { type AnyRoute, defineRoute } from "../call.ts";
import { onceOf } from "../answer/once.ts";
import { asksAnew, nameListing } from "../listing/name.ts";
import { sendUnchanged } from "../listing/validators.ts";
import { presentZone } from "../presenters/content.ts";
import type { Inputs } from "../schemas/inputs.ts";
import { OUTPUTS } from "../schemas/outputs.ts";

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
      async handle({ deps, granted, query, request, reply }) {
        const { id } = granted.target;
        const revisions = await deps.store.boards.revisions(granted.target);
        const name = nameListing(request, inputs.page, id, { limit: query.limit, cursor: query.cursor });
        const listing = `zones ${id}`;
        const [sortOrder, after] = query.cursor === undefined ? [] : deps.cursors.read(listing, query.cursor);
        if (sendUnchanged(request, reply, { key: name.key, part: "zones" }, revisions)) return reply;
        const cached = asksAnew(request) ? undefined : deps.listings.get(name, granted, revisions);
        if (cached !== undefined) return cached;
        const place = after === undefined ? null : { sortOrder: Number(sortOrder), id: String(after) };
        const limit = query.limit ?? (query.cursor === undefined ? null : 500);
        const zones = await listZones(deps, granted, place, limit === null ? null : limit + 1);
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
      isCreation: true,
      guard: (deps, actor, { boardId = "" }) => grantBoard(deps, actor, boardId, "write"),
      async handle({ deps, actor, granted, body, request, reply }) {
        const render = (zone: Zone) => JSON.stringify({ zone: presentZone(zone) });
        const once = onceOf(request, actor, deps.clock.now(), render);
        return sendOnce(reply, await createZone(deps, granted, { ...patchOf(body), name: body.name }, once), render);
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/board/zones/:zoneId",
      tag: "Zones",
      summary: "Read a zone",
      response: OUTPUTS.zone,
      guard: (deps, actor, { zoneId = "" }) => grantZone(deps, actor, zoneId, "read"),
      async handle({ granted: { zone }, reply }) {
        reply.header("ETag", etagOf(zone.version));
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
      async handle({ deps, granted: { scope, zone }, body, request, reply }) {
        const updated = await updateZone(deps, scope, zone, patchOf(body), ifMatchOf(request));
        reply.header("ETag", etagOf(updated.version));
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
      async handle({ deps, granted: { scope, zone }, request }) {
        await deleteZone(deps, scope, zone, ifMatchOf(request));
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
      async handle({ deps, granted: { scope, zone } }) {
        return { zone: presentZone(await restoreZone(deps, scope, zone)) };
      },
    }),
  ];
}
