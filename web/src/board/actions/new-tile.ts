import { TesseraError, type Tile } from "@tessera-board/sdk";
import { getErrorMessage, hasStatus, tessera } from "../../api/client/client.ts";
import { uploadFile } from "../../api/tiles/upload.ts";
import type { InputEntry } from "../model/parse-input.ts";
import type { BoardTile } from "../model/tile.ts";
import { truncate } from "../model/format.ts";

/** A tile to create. The idempotency key makes retries safe. */
export type NewTileRequest = { readonly idempotencyKey: string; readonly zoneId: string | null } & (
  | InputEntry
  | { readonly kind: "file"; readonly file: File }
);

/** Maximum characters of a title taken from the first line of a text. */
const MAX_TITLE_LENGTH = 120;

/** The id of the placeholder card shown until the server has created the tile. */
export const getPlaceholderId = ({ idempotencyKey }: NewTileRequest): string => `new-${idempotencyKey}`;

/** Creates the tile. `onProgress` receives the fraction of a file that was sent, from 0 to 1. */
export function createTile(
  boardId: string,
  newTile: NewTileRequest,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<Tile> {
  const { idempotencyKey, zoneId } = newTile;
  if (newTile.kind === "file") return uploadFile(boardId, { file: newTile.file, zoneId, idempotencyKey, signal, onProgress });
  const content = newTile.kind === "link" ? { url: newTile.url } : { content: newTile.text, title: getTitle(newTile.text) };
  return tessera.tiles.create(boardId, { ...content, zoneId }, { idempotencyKey });
}

/** Why a tile could not be created, and whether another attempt can succeed: what the server refused for its content stays refused. */
export function describeCreationFailure(newTile: NewTileRequest, error: unknown): { readonly reason: string; readonly canRetry: boolean } {
  const isRefused = newTile.kind === "link" && error instanceof TesseraError && error.code === "url_not_allowed";
  return { reason: isRefused ? describePrivate(newTile.url) : getErrorMessage(error), canRetry: !hasStatus(error, 400) };
}

/** The API refuses a private address in one fixed sentence; here it is said what helps. */
function describePrivate(address: string): string {
  const { protocol, hostname, port } = new URL(/^https?:/i.test(address) ? address : `https://${address}`);
  const target = `${hostname}:${port || (protocol === "http:" ? "80" : "443")}`;
  return (
    `${target} points inside the network or at a port that is not for the web. ` +
    `The operator of this server can allow it by adding ${target} to FETCH_ALLOW.`
  );
}

/** The title of a text: its first line. */
const getTitle = (text: string): string => truncate(/\S[^\r\n]*/.exec(text)?.[0].trim() ?? text, MAX_TITLE_LENGTH);

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
