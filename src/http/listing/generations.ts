import { Readable } from "node:stream";
import type { Static } from "typebox";
import type { Actor } from "#domain/core/access.ts";
import type { GenerationQuery } from "#domain/answers/generation.ts";
import { listGenerations } from "#service/generation/generations.ts";
import type { HttpDeps } from "../route.ts";
import { presentGenerationSummary } from "../wire/generation.ts";
import type { GENERATION_QUERY } from "../wire/generation-input.ts";

/** Rows of one step of a listing that is answered whole, and of a page where only a cursor is given. */
const STEP = 500;

/** Answers a listing: a page with `nextCursor`, or everything, streamed in steps where it is long. */
export async function readGenerationListing(deps: HttpDeps, actor: Actor, query: Static<typeof GENERATION_QUERY>): Promise<unknown> {
  const asked: GenerationQuery = {
    ...(query.board_id === undefined ? {} : { boardId: query.board_id }),
    ...(query.endpoint === undefined ? {} : { endpoint: query.endpoint }),
  };
  if (query.limit === undefined && query.cursor === undefined) {
    const first = await listGenerations(deps, actor, asked, null, STEP);
    const rows = first.generations.map(presentGenerationSummary);
    return first.next === null ? { generations: rows } : Readable.from(renderAll(deps, actor, asked, rows, first.next));
  }
  const listing = `generations ${actor.businessId} ${JSON.stringify(asked)}`;
  const after = query.cursor === undefined ? null : String(deps.cursors.read(listing, query.cursor)[0]);
  const { generations, next } = await listGenerations(deps, actor, asked, after, query.limit ?? STEP);
  return { generations: generations.map(presentGenerationSummary), nextCursor: next === null ? null : deps.cursors.write(listing, [next]) };
}

/** A long listing in steps of bounded size. */
async function* renderAll(
  deps: HttpDeps,
  actor: Actor,
  query: GenerationQuery,
  first: readonly object[],
  next: string,
): AsyncGenerator<string> {
  yield `{"generations":[${first.map((row) => JSON.stringify(row)).join(",")}`;
  for (let after: string | null = next; after !== null;) {
    const step = await listGenerations(deps, actor, query, after, STEP);
    if (step.generations.length > 0) yield `,${step.generations.map((one) => JSON.stringify(presentGenerationSummary(one))).join(",")}`;
    after = step.next;
  }
  yield "]}";
}
