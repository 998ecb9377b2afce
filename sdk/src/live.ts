import { readEvents } from "./transport/stream.ts";
import type { CallOptions, Request } from "./transport/transport.ts";
import type { Open } from "./types.ts";

/** Counters that grow with every change of a board: of its zones, and of its tiles. */
export type Revision = { readonly zones: number; readonly content: number };

/** What work on a tile is at: fetching from its source, turning what came into text, writing down speech, reading a picture. */
export type Stage = Open<"fetch" | "read" | "transcribe" | "recognise">;

/** A tile that is being worked on. */
export type TileProgress = {
  readonly tileId: string;
  readonly stage: Stage;
  /** 1 for the first try, of `maxAttempts`. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** When this try began. */
  readonly startedAt: string;
};

export type FollowOptions = CallOptions & {
  /**
   * Told of every tile of the board that is being worked on whenever that changes, and at first, after the first revision, only if there
   * are any. A tile with status `processing` that is not in it waits for its turn, or for its next try. Work that is over within half a
   * second is not told of.
   */
  readonly onProgress?: (tiles: readonly TileProgress[]) => void;
};

/**
 * Tells of a board's changes as they happen, the present revision first. Answers when the service ends the stream, which it does
 * every few minutes: then follow again.
 */
export async function followBoard(
  request: Request,
  boardId: string,
  onRevision: (revision: Revision) => void,
  { signal, onProgress }: FollowOptions = {},
): Promise<void> {
  const response = await request("GET", ["api", "board", boardId, "events"], {
    headers: { accept: "text/event-stream" },
    ...(signal && { signal }),
  });
  if (response.body === null) return;
  for await (const { event, data } of readEvents(response.body)) {
    if (event === "revision") onRevision(data as Revision);
    if (event === "progress") onProgress?.((data as { readonly tiles: readonly TileProgress[] }).tiles);
  }
}
