import { Readable } from "node:stream";
import type { Static } from "typebox";
import type { Actor } from "#domain/core/access.ts";
import type { GenerationQuery } from "#domain/answers/generation.ts";
import { listGenerations } from "#service/generation/generations.ts";
import type { HttpDeps } from "../route.ts";
import { presentGenerationSummary } from "../wire/generation.ts";
import type { GENERATION_QUERY } from "../wire/generation-input.ts";

/** The rows of one step of a whole listing, and of a page if only a cursor is given. */
const STEP_ROWS = 500;

/** Returns a page with `nextCursor`, or the whole listing, streamed if it is long. */
export async function readGenerationListing(deps: HttpDeps, actor: Actor, query: Static<typeof GENERATION_QUERY>): Promise<unknown> {
  const generationQuery: GenerationQuery = {
    ...(query.board_id === undefined ? {} : { boardId: query.board_id }),
    ...(query.endpoint === undefined ? {} : { endpoint: query.endpoint }),
  };
  if (query.limit === undefined && query.cursor === undefined) {
    const first = await listGenerations(deps, actor, generationQuery, null, STEP_ROWS);
    const rows = first.generations.map(presentGenerationSummary);
    return first.next === null ? { generations: rows } : Readable.from(renderAll(deps, actor, generationQuery, rows, first.next));
  }
  const cursorScope = `generations ${actor.businessId} ${JSON.stringify(generationQuery)}`;
  const after = query.cursor === undefined ? null : String(deps.cursors.read(cursorScope, query.cursor)[0]);
  const { generations, next } = await listGenerations(deps, actor, generationQuery, after, query.limit ?? STEP_ROWS);
  return {
    generations: generations.map(presentGenerationSummary),
    nextCursor: next === null ? null : deps.cursors.write(cursorScope, [next]),
  };
}

/** Renders a long listing in steps of limited size. */
async function* renderAll(
  deps: HttpDeps,
  actor: Actor,
  query: GenerationQuery,
  first: readonly object[],
  next: string,
): AsyncGenerator<string> {
  yield `{"generations":[${first.map((row) => JSON.stringify(row)).join(",")}`;
  for (let after: string | null = next; after !== null;) {
    const step = await listGenerations(deps, actor, query, after, STEP_ROWS);
    if (step.generations.length > 0) yield `,${step.generations.map((one) => JSON.stringify(presentGenerationSummary(one))).join(",")}`;
    after = step.next;
  }
  yield "]}";
}
