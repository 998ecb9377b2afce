import type { Actor } from "#domain/core/access.ts";
import type { TileType } from "#domain/content/tile.ts";
import type { Citation } from "#retrieval/answer/extractive.ts";
import type { Deps, WorkDeps } from "../deps.ts";
import { runStepInTurn, yieldToOthers } from "../work-queue.ts";

/** A citation. `seconds` is its time in the recording, for tiles that are transcripts. */
export type TimedCitation = Citation & { readonly seconds?: number };

/** Tile types without timed segments; they are not read again. */
const UNTIMED: ReadonlySet<TileType> = new Set(["TEXT", "WEBSITE", "PDF", "DOCUMENT", "FEED"]);

/** Adds `seconds` to citations of transcripts, in a step of the caller's work. Throws the signal's reason. */
export async function addTimes(
  deps: WorkDeps,
  actor: Actor,
  citations: readonly Citation[],
  signal: AbortSignal,
): Promise<readonly TimedCitation[]> {
  const tileIds = new Set(citations.filter(({ type }) => !UNTIMED.has(type)).map(({ tileId }) => tileId));
  if (tileIds.size === 0) return citations;
  return runStepInTurn(deps, actor, () => readTimes(deps, actor.businessId, citations, tileIds), signal);
}

/** Reads the segments of one tile after the other, since a long recording has tens of thousands. */
async function readTimes(
  { store }: Pick<Deps, "store">,
  businessId: string,
  citations: readonly Citation[],
  tileIds: ReadonlySet<string>,
): Promise<readonly TimedCitation[]> {
  const timed = new Map<Citation, TimedCitation>();
  for (const tileId of tileIds) {
    const segments = await store.tiles.findSegments(businessId, tileId);
    for (const citation of citations) {
      if (citation.tileId !== tileId) continue;
      const { start, end, highlights } = citation;
      const answerStart = start + (highlights?.[0]?.start ?? 0);
      const segment = segments.find((each) => each.end > answerStart && each.start < end);
      if (segment !== undefined) timed.set(citation, { ...citation, seconds: segment.seconds });
    }
    await yieldToOthers();
  }
  return citations.map((citation) => timed.get(citation) ?? citation);
}
