import { truncate } from "../../model/format.ts";
import type { InputEntry } from "../../model/parse-input.ts";
import type { BoardTile } from "../../model/tile.ts";

/** A tile to create. The idempotency key makes retries safe. */
export type NewTileRequest = { readonly idempotencyKey: string; readonly zoneId: string | null } & (
  | InputEntry
  | { readonly kind: "file"; readonly file: File }
);

/** Maximum characters of a title taken from the first line of a text. */
const MAX_TITLE_LENGTH = 120;

/** The id of the placeholder card shown until the server has created the tile. */
export const getPlaceholderId = ({ idempotencyKey }: NewTileRequest): string => `new-${idempotencyKey}`;

/** The title of a text: its first line. */
export const getTitle = (text: string): string => truncate(/\S[^\r\n]*/.exec(text)?.[0].trim() ?? text, MAX_TITLE_LENGTH);

/** The placeholder tile shown until the server has created the real one. */
export function toPlaceholder(newTile: NewTileRequest, sortOrder: number): BoardTile {
  const now = new Date().toISOString();
  const title = newTile.kind === "link" ? newTile.url : newTile.kind === "text" ? getTitle(newTile.text) : newTile.file.name;
  return {
    id: getPlaceholderId(newTile),
    zoneId: newTile.zoneId,
    type: newTile.kind === "link" ? "WEBSITE" : newTile.kind === "text" ? "TEXT" : "DOCUMENT",
    title,
    status: "processing",
    sourceUrl: newTile.kind === "link" ? newTile.url : null,
    error: null,
    externalId: null,
    tags: [],
    sortOrder,
    createdAt: now,
    updatedAt: now,
  };
}
