import { createClient, type Login, type Tile } from "@tessera/sdk";
import type { QueryClient } from "@tanstack/react-query";
import { createUploadFetch } from "../client/upload-fetch.ts";
import { SESSION } from "../keys.ts";

export type Upload = {
  readonly file: File;
  readonly zoneId: string | null;
  /** The same for every try of one creation. */
  readonly once: string;
  /** Ends the upload. */
  readonly signal: AbortSignal;
  /** Told of the part of 1 that was sent. */
  readonly onProgress: (sent: number) => void;
};

/** Makes a tile of a file. */
export function uploadFile(boardId: string, { file, zoneId, once, signal, onProgress }: Upload): Promise<Tile> {
  const { tiles } = createClient({ baseUrl: "", fetch: createUploadFetch(onProgress) });
  return tiles.upload(boardId, { file, zoneId }, { idempotencyKey: once, signal });
}

const MEBIBYTE = 1_048_576;
const inMegabytes = (bytes: number): string => (Math.ceil((bytes / MEBIBYTE) * 10) / 10).toLocaleString("en");

/** Why the server would not take this file, in a sentence, told before anything is sent; null where it may take it. */
export function refusalOfFile(client: QueryClient, { name, size }: Pick<File, "name" | "size">): string | null {
  const most = client.getQueryData<Login | null>(SESSION)?.limits.fileBytes;
  if (most === undefined || size <= most) return null;
  return `“${name}” is ${inMegabytes(size)} MB, and files can have at most ${Math.floor(most / MEBIBYTE)} MB. Make it smaller or split it, or paste the text that you need.`;
}
