import { Type } from "typebox";
import { invalidField } from "#domain/core/errors/error.ts";
import { ASSET_TYPES, GENERATION_ENDPOINTS } from "#domain/answers/generation.ts";
import { FEED_EVENTS, type FeedEvent } from "#domain/events/event.ts";
import { choice, entity, orNull, several, time } from "../schema.ts";
import { tileType } from "../tiles/tile.ts";
import { EXAMPLE } from "../example.ts";

const optional = Type.Optional;

export const EVENT_PAYLOAD = entity(
  "EventPayload",
  {
    boardId: Type.String(),
    tileId: optional(Type.String({ description: "Events of tiles have these fields, as they were then." })),
    title: optional(Type.String()),
    type: optional(tileType),
    externalId: optional(orNull("string")),
    sourceUrl: optional(orNull("string")),
    zoneId: optional(orNull("string")),
    tags: optional(Type.Array(Type.String())),
    sourceId: optional(Type.String({ description: "Events of sources have this field and the next one." })),
    url: optional(Type.String()),
    generationId: optional(Type.String({ description: "Events of generations have these fields." })),
    endpoint: optional(choice(GENERATION_ENDPOINTS, { title: "GenerationEndpoint" })),
    assetType: optional(choice(ASSET_TYPES, { title: "AssetType" })),
  },
  {
    examples: [
      {
        boardId: EXAMPLE.boardId,
        tileId: EXAMPLE.tileId,
        title: EXAMPLE.title,
        type: "WEBSITE",
        externalId: null,
        sourceUrl: EXAMPLE.url,
        zoneId: EXAMPLE.zoneId,
        tags: ["harbour"],
      },
    ],
  },
);

export const feedEvent = choice(FEED_EVENTS, { title: "FeedEvent" });

const CHANGE = entity(
  "Change",
  {
    id: Type.String({ description: "The same in every response. It changes when a backup is restored." }),
    event: feedEvent,
    payload: EVENT_PAYLOAD,
    at: time,
  },
  {
    examples: [
      {
        id: EXAMPLE.changeId,
        event: "tile.ready",
        payload: (EVENT_PAYLOAD as { examples?: unknown[] }).examples?.[0],
        at: EXAMPLE.created,
      },
    ],
  },
);

export const CHANGES_RESPONSE = entity("ChangePage", {
  changes: Type.Array(CHANGE),
  nextCursor: Type.String({ description: "Continues after these changes, for 30 days.", examples: ["3q2-7wAB…"] }),
  hasMore: Type.Boolean({ description: "Whether more changes follow already, even after an empty page." }),
});

/** The value of `cursor` that stands for the end of the feed. */
export const NOW = "now";

export const CHANGES_QUERY = Type.Object({
  cursor: optional(
    Type.String({
      "x-blank": "kept",
      description: "The nextCursor of the last response; now returns only a cursor. Default: the oldest change that is kept.",
    }),
  ),
  board_id: optional(Type.String({ description: "Only changes of this board." })),
  events: optional(several(Type.String(), { description: "Only these events, such as tile.ready,tile.failed." })),
  limit: optional(Type.Integer({ minimum: 1, maximum: 500, description: "Page size. Default: 100." })),
  wait: optional(Type.Integer({ minimum: 0, maximum: 60, description: "Seconds to wait for a change if there is none. Default: 0." })),
});

/** Returns the events of a request, without duplicates, in the order of the list. Throws 400 for unknown names. */
export function readFeedEvents(names: readonly unknown[]): FeedEvent[] {
  const isKnown = names.every((name) => FEED_EVENTS.some((event) => event === name));
  if (!isKnown) throw invalidField("events", `must be some of ${FEED_EVENTS.join(", ")}.`);
  return FEED_EVENTS.filter((event) => names.includes(event));
}
