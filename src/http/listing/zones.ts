import type { FastifyReply } from "fastify";
import type { TObject } from "typebox";
import type { BoardReader } from "#service/access.ts";
import { listZones } from "#service/content/zones.ts";
import { runInTurn } from "#service/work-queue.ts";
import { createDisconnectSignal } from "../response/connection/disconnect.ts";
import type { RawJson } from "../response/raw-json.ts";
import type { HandlerContext } from "../route.ts";
import type { PAGE_QUERY } from "../wire/schema.ts";
import { presentZone } from "../wire/zone.ts";
import { bypassesCache, createListingKey } from "./listing-key.ts";
import { sendIfUnchanged } from "./validators.ts";

/** The page size if only a cursor is given. */
const DEFAULT_PAGE_SIZE = 500;

type ZoneCall = HandlerContext<BoardReader, TObject, typeof PAGE_QUERY>;

/** Responds with a page of zones or with all of them. Throws 429 when too much work of the caller is waiting. */
export async function sendZoneListing({ deps, authorized, query, request, reply }: ZoneCall): Promise<RawJson | FastifyReply> {
  const { id } = authorized.target;
  const revisions = await deps.store.boards.revisions(authorized.target);
  const key = createListingKey("zones", id, { limit: query.limit, cursor: query.cursor });
  const cursorScope = `zones ${id}`;
  const [sortOrder, afterId] = query.cursor === undefined ? [] : deps.cursors.read(cursorScope, query.cursor);
  const cached = bypassesCache(request) ? undefined : deps.listings.get(key, authorized, revisions);
  if (sendIfUnchanged(request, reply, { key, part: "zones", cached }, revisions)) return reply;
  if (cached !== undefined) return cached;
  const after = afterId === undefined ? null : { sortOrder: Number(sortOrder), id: String(afterId) };
  const limit = query.limit ?? (query.cursor === undefined ? null : DEFAULT_PAGE_SIZE);
  const render = async (): Promise<string> => {
    const zones = await listZones(deps, authorized, after, limit === null ? null : limit + 1);
    const page = limit === null ? zones : zones.slice(0, limit);
    const last = page.at(-1);
    const isEnd = page.length === zones.length || last === undefined;
    return JSON.stringify({
      zones: page.map(presentZone),
      ...(limit === null ? {} : { nextCursor: isEnd ? null : deps.cursors.write(cursorScope, [last.sortOrder, last.id]) }),
    });
  };
  // A board may have thousands of zones.
  const text = await runInTurn(deps, authorized.actor, render, createDisconnectSignal(reply));
  return deps.listings.set(key, { boardId: id, dependsOn: "zones" }, revisions, text);
}
