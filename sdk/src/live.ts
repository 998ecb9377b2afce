import { readEvents } from "./stream.ts";
import type { CallOptions, Request } from "./transport.ts";

/** Counters that grow with every change of a board: of its zones, and of its tiles. */
export type Revision = { readonly zones: number; readonly content: number };

/**
 * Tells of a board's changes as they happen, the present revision first. Answers when the service ends the stream, which it does
 * every few minutes: then follow again.
 */
export async function followBoard(
  request: Request,
  boardId: string,
  onRevision: (revision: Revision) => void,
  { signal }: CallOptions = {},
): Promise<void> {
  const response = await request("GET", ["api", "board", boardId, "events"], {
    headers: { accept: "text/event-stream" },
    ...(signal && { signal }),
  });
  if (response.body === null) return;
  for await (const { event, data } of readEvents(response.body)) {
    if (event === "revision") onRevision(data as Revision);
  }
}
