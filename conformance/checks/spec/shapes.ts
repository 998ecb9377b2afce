import type { Kind } from "../../expect.ts";

type Shape = Readonly<Record<string, Kind>>;

/** The fields of the listings and responses in the specification. */
export const BOARD: Shape = { id: "string", name: "string", isDefault: "boolean", slug: "string" };

export const ZONE_ROW: Shape = {
  id: "string",
  name: "string",
  sortOrder: "integer",
  connectedToChat: "boolean",
  color: "string?",
  emoji: "string?",
};

export const ZONE_CREATED: Shape = { id: "string", name: "string", sortOrder: "integer", connectedToChat: "boolean", size: "string" };

/** `zoneId` may be null: a tile is "optionally inside one zone". */
export const TILE_ROW: Shape = {
  id: "string",
  zoneId: "string?",
  type: "string",
  title: "string",
  extractedText: "string",
  status: "string",
  createdAt: "time",
  updatedAt: "time",
};

export const ANSWER: Shape = { answer: "string", contextTokens: "integer" };

/** An identifier that no resource has. */
export const NO_ID = "no-such-id-000000000000";

/** A link whose type every service detects from its URL. */
export const VIDEO_URL = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";

export const FORBIDDEN_BOARD = "This API key is not authorized for this board.";
export const FORBIDDEN_PERMISSION = "This API key does not have the permission for this operation.";
