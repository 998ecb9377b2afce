import type { Tile } from "@tessera/sdk";
import { tessera } from "../../api/client/client.ts";
import { uploadFile } from "../../api/tiles/upload.ts";
import type { Entry } from "../model/input.ts";
import type { BoardTile } from "../model/tile.ts";
import { shortened } from "../model/words.ts";

/** One thing to be made a tile of, with the key under which it is made once however often it is tried. */
export type Draft = { readonly once: string; readonly zoneId: string | null } & (Entry | { readonly kind: "file"; readonly file: File });

/** Characters of a text's first line that become its title. */
const MAX_TITLE_LENGTH = 120;

/** The id of the card that stands for the tile until the server has it. */
export const cardIdOf = ({ once }: Draft): string => `new-${once}`;

/** Makes the tile; `onProgress` is told of the part of 1 of a file that was sent. */
export function createFrom(boardId: string, draft: Draft, signal: AbortSignal, onProgress: (sent: number) => void): Promise<Tile> {
  const { once, zoneId } = draft;
  if (draft.kind === "file") return uploadFile(boardId, { file: draft.file, zoneId, once, signal, onProgress });
  const content = draft.kind === "link" ? { url: draft.url } : { content: draft.text, title: titleOf(draft.text) };
  return tessera.tiles.create(boardId, { ...content, zoneId }, { idempotencyKey: once });
}

/** What a text is called: its first line. */
const titleOf = (text: string): string => shortened(/\S[^\r\n]*/.exec(text)?.[0].trim() ?? text, MAX_TITLE_LENGTH);

/** The card that stands for the tile until the server has it. */
export function placeholderOf(draft: Draft, sortOrder: number): BoardTile {
  const now = new Date().toISOString();
  const title = draft.kind === "link" ? draft.url : draft.kind === "text" ? titleOf(draft.text) : draft.file.name;
  return {
    id: cardIdOf(draft),
    zoneId: draft.zoneId,
    type: draft.kind === "link" ? "WEBSITE" : draft.kind === "text" ? "TEXT" : "DOCUMENT",
    title,
    status: "processing",
    sourceUrl: draft.kind === "link" ? draft.url : null,
    error: null,
    sortOrder,
    createdAt: now,
    updatedAt: now,
  };
}
