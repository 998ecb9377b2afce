import type { ClaimedJob, Ingested } from "#domain/content/job.ts";
import type { Tile, TileError, TileWarning } from "#domain/content/tile.ts";

/** Returns the text that this ingestion replaces; null when there was none or it is unchanged. */
export const getReplacedText = (
  tile: { readonly wasReady: boolean; readonly text: string },
  newText: string,
  now: number,
): Tile["previousText"] => (tile.wasReady && tile.text !== "" && tile.text !== newText ? { text: tile.text, until: now } : null);

const REFRESH_FAILED = "refresh_failed";

/** Returns the state of a tile after failed ingestion. A tile that has a text stays ready with that text and a warning. */
export function endWithoutText(
  tile: { readonly wasReady: boolean; readonly hasText: boolean; readonly warnings: readonly TileWarning[] },
  error: TileError,
): { readonly status: "failed"; readonly error: TileError } | { readonly status: "ready"; readonly warnings: readonly TileWarning[] } {
  if (!tile.wasReady || !tile.hasText) return { status: "failed", error };
  const message = `It could not be read again, so the previous text is kept. ${error.message}`;
  return { status: "ready", warnings: [...tile.warnings.filter(({ code }) => code !== REFRESH_FAILED), { code: REFRESH_FAILED, message }] };
}

/** Returns the event of a finished ingestion: `tile.ready` for the first text, `tile.updated` for a change, null for no change. */
export function getIngestionEvent(
  tile: { readonly readyEventSent: boolean; readonly title: string; readonly text: string },
  result: Pick<Ingested, "text"> & { readonly title: string },
): "tile.ready" | "tile.updated" | null {
  if (!tile.readyEventSent) return "tile.ready";
  return tile.title !== result.title || tile.text !== result.text ? "tile.updated" : null;
}

/** Returns the error of a tile whose worker was lost during the last attempt. */
export const workerLost = (attempts: ClaimedJob["attempt"]): TileError => ({
  code: "worker_lost",
  message: "Reading this link was interrupted during the last attempt. Retry it; if it happens again, paste its text instead.",
  stage: "worker",
  retryable: true,
  attempts,
});
