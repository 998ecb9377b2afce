import type { Open } from "../generated/schemas.ts";
import { badResponse } from "../transport/errors.ts";
import { requireList } from "../transport/paginate.ts";
import { readEvents } from "../transport/stream.ts";
import { type CallOptions, type Request, splitOptions } from "../transport/transport.ts";

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
   * status `processing` that is not in the list is waiting. Work that takes less than half a second is not reported. May return a promise,
   * like `onRevision`.
   */
  readonly onProgress?: (tiles: readonly TileProgress[]) => unknown;
};

/**
 * Reports changes of a board, starting with the current revision. Resolves when the server ends the stream, every few minutes: then
 * follow again. A stream without a revision is an error, so that nobody follows something else again and again.
 */
export async function followBoard(
  request: Request,
  boardId: string,
  onRevision: (revision: Revision) => unknown,
  options: FollowOptions = {},
): Promise<void> {
  const {
    call,
    rest: { onProgress },
  } = splitOptions(options);
  const input = { ...call, path: { boardId }, headers: { accept: "text/event-stream" } };
  await request("GET /api/board/{boardId}/events", input, readChanges, true);

  async function readChanges(response: Response): Promise<void> {
    let hasRevision = false;
    for await (const { event, data } of readEvents(response)) {
      if (event === "progress") await onProgress?.(requireList((data as { readonly tiles?: readonly TileProgress[] }).tiles));
      if (event !== "revision") continue;
      hasRevision = true;
      await onRevision(data as Revision);
    }
    if (!hasRevision) throw badResponse(response, "The service ended the stream before it sent a revision. Try again in a few seconds.");
  }
}
