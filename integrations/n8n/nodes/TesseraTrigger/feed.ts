import type { IDataObject, IHookFunctions, IWebhookFunctions } from "n8n-workflow";
import { createApiError } from "../Tessera/shared/errors.ts";
import { type Call, callServer, findOnServer, send } from "../Tessera/shared/request.ts";
import type { Settings } from "./settings.ts";

/** An event, with the payload that webhooks have. `id` is the same whenever and wherever it is read. */
export type Change = { readonly id: string; readonly event: string; readonly payload: IDataObject; readonly at: string };
type Page = { readonly changes: readonly Change[]; readonly nextCursor: string; readonly hasMore: boolean };

/** How many events one delivery starts the workflow with. With tiles there are fewer: each is a call, and the server waits 10 s for all. */
const MAX_CHANGES = 100;
const MAX_CHANGES_WITH_TILE = 20;
/** A page may be empty although there is more, when events of other boards are between. */
const MAX_PAGES = 20;

const FEED = "/api/changes";
const GONE = 410;

/** Returns the position after the last event, from which only later ones are read. */
export async function readPresentCursor(context: IHookFunctions | IWebhookFunctions): Promise<string> {
  const { nextCursor } = await callServer<Page>(context, { path: FEED, query: { cursor: "now" } });
  return nextCursor;
}

/**
 * Reads the events after the cursor that the settings ask for, as many as one delivery can have. If the server has erased them, or was restored from a
 * backup, it goes on with later ones, and logs that.
 */
export async function readChanges(context: IWebhookFunctions, cursor: string, settings: Settings): Promise<Page> {
  const changes: Change[] = [];
  const maxChanges = settings.includesTile ? MAX_CHANGES_WITH_TILE : MAX_CHANGES;
  let next = cursor;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const query = { cursor: next, board_id: settings.boardId, events: settings.events.join(","), limit: maxChanges - changes.length };
    const page = await readPage(context, { path: FEED, query });
    if (page === null) return { changes, nextCursor: await readPresentCursor(context), hasMore: false };
    changes.push(...page.changes);
    next = page.nextCursor;
    if (!page.hasMore) return { changes: changes.filter((change) => matches(change, settings)), nextCursor: next, hasMore: false };
    if (changes.length >= maxChanges) break;
  }
  return { changes: changes.filter((change) => matches(change, settings)), nextCursor: next, hasMore: true };
}

/** Returns a page, or null if the cursor has expired. */
async function readPage(context: IWebhookFunctions, call: Call): Promise<Page | null> {
  const response = await send(context, call);
  if (response.statusCode === GONE) {
    context.logger.warn("Tessera Trigger: events were lost, because the server no longer has what followed the last one that was read.");
    return null;
  }
  if (response.statusCode >= 400) throw createApiError(context.getNode(), response, call.itemIndex);
  return response.body as unknown as Page;
}

/** The server filters by board and event; the other filters are those of tiles. */
function matches({ event, payload }: Change, { zoneIds, types, tags }: Settings): boolean {
  if (!event.startsWith("tile.")) return true;
  const own = ((payload["tags"] ?? []) as readonly string[]).map(fold);
  return (
    (zoneIds === undefined || zoneIds.includes(String(payload["zoneId"]))) &&
    (types === undefined || types.includes(String(payload["type"]))) &&
    (tags === undefined || tags.every((tag) => own.includes(fold(tag))))
  );
}

/** Compares tags as the server does. */
const fold = (tag: string): string => tag.normalize("NFC").toUpperCase().toLowerCase();

/** Adds the tile as it is now to each event of one; null if it is deleted. */
export async function addTiles(context: IWebhookFunctions, changes: readonly Change[]): Promise<IDataObject[]> {
  const found = new Map<string, unknown>();
  const results: IDataObject[] = [];
  for (const change of changes) {
    const tileId = change.payload["tileId"] as string | undefined;
    if (tileId === undefined) {
      results.push(change as unknown as IDataObject);
      continue;
    }
    if (!found.has(tileId)) {
      const body = await findOnServer<IDataObject>(context, { path: `/api/board/tiles/${encodeURIComponent(tileId)}` });
      found.set(tileId, body?.["tile"] ?? null);
    }
    results.push({ ...change, tile: found.get(tileId) } as IDataObject);
  }
  return results;
}
