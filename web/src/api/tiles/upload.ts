import { createClient, type Login, type Tile } from "@tessera-board/sdk";
import type { QueryClient } from "@tanstack/react-query";
import { createUploadFetch } from "../client/upload-fetch.ts";
import { SESSION_KEY } from "../query-keys.ts";

export type FileUpload = {
  readonly file: File;
  readonly zoneId: string | null;
  /** Same for each retry of one creation. */
  readonly idempotencyKey: string;
  /** Cancels the upload. */
  readonly signal: AbortSignal;
  /** Receives the fraction that was sent, from 0 to 1. */
  readonly onProgress: (sent: number) => void;
};

/** Creates a tile from a file. */
export function uploadFile(boardId: string, { file, zoneId, idempotencyKey, signal, onProgress }: FileUpload): Promise<Tile> {
  const { tiles } = createClient({ baseUrl: "", fetch: createUploadFetch(onProgress), maxRetries: 0 });
  return tiles.upload(boardId, { file, zoneId }, { idempotencyKey, signal });
}

const MEBIBYTE = 1_048_576;
const formatMegabytes = (bytes: number): string => (Math.ceil((bytes / MEBIBYTE) * 10) / 10).toLocaleString("en");

/** The error message for a file that exceeds the server's limit, or null. Checked before the upload starts. */
export function getFileSizeError(client: QueryClient, { name, size }: Pick<File, "name" | "size">): string | null {
  const maxBytes = client.getQueryData<Login | null>(SESSION_KEY)?.limits.fileBytes;
  if (maxBytes === undefined || size <= maxBytes) return null;
  return `“${name}” is ${formatMegabytes(size)} MB; the limit is ${Math.floor(maxBytes / MEBIBYTE)} MB. Upload a smaller file, or paste the text that you need.`;
}
