import { type TObject, Type } from "typebox";
import { ASSET_TYPES, GENERATION_ENDPOINTS } from "#domain/answers/generation.ts";
import type { EventType, TEST_EVENT } from "#domain/settings/webhook.ts";
import { choice, entity, object, time } from "../schema.ts";
import { tileType } from "../tiles/tile.ts";
import { EXAMPLE } from "../example.ts";

const TILE_PAYLOAD = entity(
  "TileEventPayload",
  { tileId: Type.String(), boardId: Type.String(), title: Type.String(), type: tileType },
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

type EventDescription = { readonly description: string; readonly payload: TObject };

/** What each event reports, and its payload. */
export const WEBHOOK_EVENTS: Readonly<Record<EventType | typeof TEST_EVENT, EventDescription>> = {
  "tile.ready": { description: "A link or file has become text. Sent once in the life of a tile.", payload: TILE_PAYLOAD },
  "tile.updated": { description: "Reading a link again changed its text or title. Off by default.", payload: TILE_PAYLOAD },
  "tile.failed": { description: "A link or file could not be read. Off by default.", payload: TILE_PAYLOAD },
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
