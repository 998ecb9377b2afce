import { TesseraError, type Tile } from "@tessera-board/sdk";
import { getErrorMessage, hasStatus, tessera } from "../../../api/client/client.ts";
import { uploadFile } from "../../../api/tiles/upload.ts";
import { getTitle, type NewTileRequest } from "./new-tile.ts";

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
