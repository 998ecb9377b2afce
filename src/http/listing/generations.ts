import type { Static } from "typebox";
import type { Actor } from "#domain/core/access.ts";
import type { GenerationQuery, GenerationSummary } from "#domain/answers/generation.ts";
import type { StoreDeps } from "#service/deps.ts";
import { listGenerations } from "#service/generation/generations.ts";
import { runInTurn } from "#service/work-queue.ts";
import { RawJson } from "../response/raw-json.ts";
import { type BodyPart, readParts } from "../response/streamed-body.ts";
import type { HttpDeps } from "../route.ts";
import { presentGenerationSummary } from "../wire/generation.ts";
import type { GENERATION_QUERY } from "../wire/generation-input.ts";

/** The rows of one step of a whole listing, and of a page if only a cursor is given. */
const STEP_ROWS = 500;

/**
 * Returns a page with `nextCursor`, or the whole listing, streamed if it is long. Throws 429 when too much work of the caller is waiting. An
 * abort ends the wait.
 */
export async function readGenerationListing(
  deps: HttpDeps,
  actor: Actor,
  query: Static<typeof GENERATION_QUERY>,
  signal: AbortSignal,
): Promise<unknown> {
  const generationQuery: GenerationQuery = {
    ...(query.board_id === undefined ? {} : { boardId: query.board_id }),
    ...(query.endpoint === undefined ? {} : { endpoint: query.endpoint }),
  };
  if (query.limit === undefined && query.cursor === undefined) {
    const listing = await runInTurn(deps, actor, () => readParts(renderAll(deps, actor, generationQuery)), signal);
    return typeof listing === "string" ? new RawJson(listing) : listing;
  }
  const cursorScope = `generations ${actor.businessId} ${JSON.stringify(generationQuery)}`;
  const after = query.cursor === undefined ? null : String(deps.cursors.read(cursorScope, query.cursor)[0]);
  const { generations, next } = await listGenerations(deps, actor, generationQuery, after, query.limit ?? STEP_ROWS);
  return {
    generations: generations.map(presentGenerationSummary),
    nextCursor: next === null ? null : deps.cursors.write(cursorScope, [next]),
  };
}

/** Yields the parts of the whole listing. */
async function* renderAll(deps: StoreDeps, actor: Actor, query: GenerationQuery): AsyncGenerator<BodyPart> {
  let start: string | null = null;
  let step: { readonly generations: readonly GenerationSummary[]; readonly next: string | null } = { generations: [], next: null };
  let separator = '{"generations":[';
  do {
    yield async () => {
      step = await listGenerations(deps, actor, query, start, STEP_ROWS);
      const rows = step.generations.map((one) => JSON.stringify(presentGenerationSummary(one))).join(",");
      return `${rows === "" && separator === "," ? "" : separator}${rows}${step.next === null ? "]}" : ""}`;
    };
    start = step.next;
    separator = ",";
  } while (start !== null);
}
