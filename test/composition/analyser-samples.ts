import type { PendingTile, WaitingTile } from "#domain/answers/search.ts";
import { IngestError } from "#domain/content/job.ts";
import type { CacheLimits } from "#composition/analysis/analysis-cache.ts";
import { createAnalyser } from "#composition/analysis/analyser.ts";
import type { AnalyseOptions } from "#ingest/threads/pool.ts";
import { analysePart, type TextPart } from "#retrieval/lexical/analyse.ts";

export const BUSINESS = "biz_1";

export function createTile(tileId: string, text: string, businessId = BUSINESS): PendingTile {
  return { businessId, boardId: "brd_1", tileId, version: 1, title: `Title of ${tileId}`, text };
}

/** An analyser whose store has these tiles, and whose threads analyse in this process. Tests add tiles to `stored`. */
export function setUp(tiles: readonly PendingTile[], limits?: CacheLimits) {
  const stored = [...tiles];
  const reads: string[] = [];
  const tasks: { readonly parts: readonly TextPart[]; readonly options: AnalyseOptions }[] = [];
  const state = { running: 0, mostRunning: 0, gate: Promise.resolve() };
  const analyser = createAnalyser(
    {
      async analyse(parts, options) {
        tasks.push({ parts, options });
        await state.gate;
        options.signal?.throwIfAborted();
        if (parts.some(({ text }) => text.includes("poison"))) throw new IngestError("page_too_complex", "m", { stage: "clean" });
        return parts.map(analysePart);
      },
    },
    {
      async pendingTexts(wanted) {
        state.mostRunning = Math.max(state.mostRunning, ++state.running);
        reads.push(...wanted.map(({ tileId }) => tileId));
        const found = stored.filter((tile) => wanted.some(({ tileId, version }) => tileId === tile.tileId && version === tile.version));
        await Promise.resolve();
        state.running--;
        return found;
      },
    },
    limits,
  );
  return { analyser, stored, reads, tasks, state };
}

export const toWaiting = ({ businessId, boardId, tileId, version, text }: PendingTile): WaitingTile => ({
  businessId,
  boardId,
  tileId,
  version,
  bytes: text.length,
});

export const PROSE = "The harbour gate opens at six. ";
