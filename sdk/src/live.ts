import type { Open } from "./generated/schemas.ts";
import { readEvents } from "./transport/stream.ts";
import { type CallOptions, type Request, splitOptions } from "./transport/transport.ts";

/** Counters that increase with every change of a board: of its zones, and of its tiles. */
export type Revision = { readonly zones: number; readonly content: number };

/** The stage of an ingestion: fetching the source, extracting text, transcribing speech, describing a picture. */
export type Stage = Open<"fetch" | "read" | "transcribe" | "recognise">;

/** A tile that is being ingested. */
export type TileProgress = {
  readonly tileId: string;
  readonly stage: Stage;
  /** The number of this attempt, from 1 to `maxAttempts`. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** When this attempt started. */
  readonly startedAt: string;
};

export type FollowOptions = CallOptions & {
  /**
   * Called with every tile of the board that is being ingested, whenever that changes; at first only if there are any. A tile with
   * status `processing` that is not in the list is waiting. Work that takes less than half a second is not reported.
   */
  readonly onProgress?: (tiles: readonly TileProgress[]) => void;
};

/**
 * Reports changes of a board, starting with the current revision. Resolves when the server ends the stream, every few minutes: then
 * follow again.
 */
export async function followBoard(
  request: Request,
  boardId: string,
  onRevision: (revision: Revision) => void,
  options: FollowOptions = {},
): Promise<void> {
  const {
    call,
    rest: { onProgress },
  } = splitOptions(options);
  const input = { ...call, path: { boardId }, headers: { accept: "text/event-stream" } };
  await request("GET /api/board/{boardId}/events", input, readChanges, true);

  async function readChanges({ body }: Response): Promise<void> {
    if (body === null) return;
    for await (const { event, data } of readEvents(body)) {
      if (event === "revision") onRevision(data as Revision);
      if (event === "progress") onProgress?.((data as { readonly tiles: readonly TileProgress[] }).tiles);
    }
  }
}
