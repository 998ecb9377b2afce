import { isTileEvent, type FeedEvent } from "#domain/events/event.ts";
import type { StoreDeps } from "../deps.ts";

const MAX_SAMPLES = 3;

/** An event as a receiver gets it, without the tile of `include_tile`. */
export type Sample = { readonly event: FeedEvent; readonly payload: object; readonly sentAt: number };

/** Returns the latest real events of this kind, newest first, or else one that is made up. */
export async function readSamples(
  { store, clock }: StoreDeps,
  businessId: string,
  boardId: string | null,
  event: FeedEvent,
): Promise<readonly Sample[]> {
  const latest = await store.feed.latest(businessId, boardId, event, MAX_SAMPLES);
  if (latest.length > 0) return latest.map(({ payload, at }) => ({ event, payload, sentAt: at }));
  const board = boardId ?? (await store.boards.list(businessId))[0]?.id ?? "brd_sample";
  return [{ event, payload: inventPayload(event, board), sentAt: clock.now() }];
}

function inventPayload(event: FeedEvent, boardId: string): object {
  if (isTileEvent(event)) {
    const title = "A sample page";
    const place = { externalId: null, sourceUrl: "https://example.com/sample", zoneId: null, tags: [] };
    return { tileId: "til_sample", boardId, title, type: "WEBSITE", ...place };
  }
  if (event === "source.failing") return { sourceId: "src_sample", boardId, url: "https://example.com/feed.xml", title: "A sample feed" };
  return { generationId: "gen_sample", boardId, endpoint: "/api/v1/generate", assetType: "article" };
}
