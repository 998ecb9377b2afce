import { type TObject, Type } from "typebox";
import { ASSET_TYPES, GENERATION_ENDPOINTS } from "#domain/answers/generation.ts";
import type { FeedEvent } from "#domain/events/event.ts";
import type { EventType, TEST_EVENT } from "#domain/settings/webhook.ts";
import { choice, entity, object, orNull, time } from "../schema.ts";
import { tileType } from "../tiles/tile.ts";
import { EXAMPLE } from "../example.ts";

const TILE_PAYLOAD = entity(
  "TileEventPayload",
  {
    tileId: Type.String(),
    boardId: Type.String(),
    title: Type.String(),
    type: tileType,
    externalId: Type.Optional(orNull("string", { description: "Registered webhooks get this field and the following ones." })),
    sourceUrl: Type.Optional(orNull("string")),
    zoneId: Type.Optional(orNull("string")),
    tags: Type.Optional(Type.Array(Type.String())),
    tile: Type.Optional(
      Type.Unsafe<object | null>({ type: ["object", "null"], description: "The tile, with include_tile; null if it was deleted." }),
    ),
  },
  {
    examples: [{ tileId: EXAMPLE.tileId, boardId: EXAMPLE.boardId, title: EXAMPLE.title, type: "WEBSITE" }],
  },
);

const GENERATION_PAYLOAD = entity(
  "GenerationEventPayload",
  {
    generationId: Type.String(),
    boardId: Type.String(),
    endpoint: choice(GENERATION_ENDPOINTS, { title: "GenerationEndpoint" }),
    assetType: Type.Optional(choice(ASSET_TYPES, { title: "AssetType" })),
  },
  {
    examples: [{ generationId: EXAMPLE.generationId, boardId: EXAMPLE.boardId, endpoint: "/api/v1/generate", assetType: "article" }],
  },
);

const SOURCE_PAYLOAD = entity(
  "SourceEventPayload",
  { sourceId: Type.String(), boardId: Type.String(), url: Type.String(), title: Type.String() },
  { examples: [{ sourceId: "src_01jdj5xd5m0y8", boardId: EXAMPLE.boardId, url: "https://example.com/feed.xml", title: EXAMPLE.title }] },
);

type EventDescription = { readonly description: string; readonly payload: TObject };

/** What each event reports, and its payload. */
export const WEBHOOK_EVENTS: Readonly<Record<EventType | FeedEvent | typeof TEST_EVENT, EventDescription>> = {
  "tile.ready": { description: "A link or file has become text. Sent once in the life of a tile.", payload: TILE_PAYLOAD },
  "tile.created": { description: "A tile was created or restored. Registered webhooks only.", payload: TILE_PAYLOAD },
  "tile.updated": {
    description: "Reading a link again changed its text or title; for registered webhooks also: a call changed the tile. Off by default.",
    payload: TILE_PAYLOAD,
  },
  "tile.failed": { description: "A link or file could not be read. Off by default.", payload: TILE_PAYLOAD },
  "tile.deleted": { description: "A tile was deleted. Registered webhooks only.", payload: TILE_PAYLOAD },
  "source.failing": { description: "A source could not be read. Not sent yet.", payload: SOURCE_PAYLOAD },
  "generation.complete": { description: "A generation succeeded.", payload: GENERATION_PAYLOAD },
  "generation.failed": {
    description: "A generation ended without a result. A canceled one sends nothing. Off by default.",
    payload: GENERATION_PAYLOAD,
  },
  test: {
    description: "Sent on request, to test a receiver.",
    payload: object({ message: Type.String({ examples: ["This is a test. If its signature verifies, the receiver is ready."] }) }),
  },
};

/** Returns the body of the request that reports an event. */
export const eventSchema = (event: string, payload: TObject): TObject => object({ event: Type.Literal(event), payload, sentAt: time });
