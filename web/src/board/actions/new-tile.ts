import type { Tile } from "@tessera/sdk";
import { tessera } from "../../api/client/client.ts";
import { uploadFile } from "../../api/tiles/upload.ts";
import type { Entry } from "../model/parse-input.ts";
import type { BoardTile } from "../model/tile.ts";
import { truncate } from "../model/format.ts";

/** One thing to be made a tile of, with the key under which it is made once however often it is tried. */
export type NewTile = { readonly idempotencyKey: string; readonly zoneId: string | null } & (
  | Entry
  | { readonly kind: "file"; readonly file: File }
);

/** Characters of a text's first line that become its title. */
const MAX_TITLE_LENGTH = 120;

/** The id of the card that stands for the tile until the server has it. */
export const getPlaceholderId = ({ idempotencyKey }: NewTile): string => `new-${idempotencyKey}`;

/** Makes the tile; `onProgress` is told of the part of 1 of a file that was sent. */
export function createTile(boardId: string, newTile: NewTile, signal: AbortSignal, onProgress: (sent: number) => void): Promise<Tile> {
  const { idempotencyKey, zoneId } = newTile;
  if (newTile.kind === "file") return uploadFile(boardId, { file: newTile.file, zoneId, idempotencyKey, signal, onProgress });
  const content = newTile.kind === "link" ? { url: newTile.url } : { content: newTile.text, title: getTitle(newTile.text) };
  return tessera.tiles.create(boardId, { ...content, zoneId }, { idempotencyKey });
}

/** What a text is called: its first line. */
const getTitle = (text: string): string => truncate(/\S[^\r\n]*/.exec(text)?.[0].trim() ?? text, MAX_TITLE_LENGTH);

/** The card that stands for the tile until the server has it. */
export function toPlaceholder(newTile: NewTile, sortOrder: number): BoardTile {
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
    sortOrder,
    createdAt: now,
    updatedAt: now,
  };
}
