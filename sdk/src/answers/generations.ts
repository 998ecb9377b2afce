import type { Generation, GenerationSummary } from "../generated/schemas.ts";
import type { BodyOf, QueryOf } from "../transport/operation.ts";
import { paginate, requireList } from "../transport/paginate.ts";
import { type CallOptions, type CreateOptions, type Send, type WaitOptions, splitOptions } from "../transport/transport.ts";
import type { GenerationPage } from "../types.ts";

export type GenerateInput = Omit<BodyOf<"POST /api/v1/generate">, "async">;
export type IdeaInput = Omit<BodyOf<"POST /api/v1/idea">, "async">;

export type GenerateOptions = CreateOptions & {
  /** Returns immediately with status `processing`. Read the result with `generations.get`. */
  readonly async?: boolean;
};

export type GenerationListOptions = CallOptions & Omit<QueryOf<"GET /api/v1/generations">, "cursor"> & { readonly cursor?: string | null };

/** Texts and ideas that are written from the content of a board. */
export interface GenerateMethods {
  /** Writes a text from the content of a board. */
  generate(input: GenerateInput, options?: GenerateOptions): Promise<Generation>;

  /** Suggests ideas from the content of a board. */
  idea(input: IdeaInput, options?: GenerateOptions): Promise<Generation>;
}

/** Generations that were started before. */
export interface GenerationMethods {
  /** With `wait` (seconds, at most 60), responds when the generation is no longer processing, or when the time is up. */
  get(generationId: string, options?: WaitOptions): Promise<Generation>;

  /** Newest first, without results. */
  list(options?: GenerationListOptions): Promise<GenerationPage>;

  /** Every generation, newest first, read page by page (100 per page by default). */
  iterate(options?: GenerationListOptions): AsyncGenerator<GenerationSummary, void, undefined>;

  /** Cancels a generation that is processing. Fails with 409 if it has ended. */
  cancel(generationId: string, call?: CallOptions): Promise<Generation>;
}

export function generateMethods(send: Send): GenerateMethods {
  return {
    generate: async (input, { async: isAsync, ...call } = {}) =>
      (await send("POST /api/v1/generate", { ...call, body: { ...input, async: isAsync } })).generation,
    idea: async (input, { async: isAsync, ...call } = {}) =>
      (await send("POST /api/v1/idea", { ...call, body: { ...input, async: isAsync } })).generation,
  };
}

export function generationMethods(send: Send): GenerationMethods {
  async function list(options: GenerationListOptions = {}): Promise<GenerationPage> {
    const { call, rest } = splitOptions(options);
    const { generations, nextCursor } = await send("GET /api/v1/generations", {
      ...call,
      query: { ...rest, cursor: rest.cursor ?? undefined },
    });
    return { generations: requireList(generations), nextCursor: nextCursor ?? null };
  }

  return {
    get: async (generationId, { wait, ...call } = {}) =>
      (await send("GET /api/v1/generations/{generationId}", { ...call, path: { generationId }, query: { wait } })).generation,
    list,
    iterate: (options = {}) =>
      paginate(async (cursor) => {
        const { generations, nextCursor } = await list({ ...options, limit: options.limit ?? 100, cursor });
        return { items: generations, nextCursor };
      }, options.cursor),
    cancel: async (generationId, call = {}) =>
      (await send("POST /api/v1/generations/{generationId}/cancel", { ...call, path: { generationId } })).generation,
  };
}
