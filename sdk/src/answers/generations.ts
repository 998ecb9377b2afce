import type { Generation, GenerationSummary } from "../generated/schemas.ts";
import type { BodyOf, QueryOf } from "../transport/operation.ts";
import { paginate } from "../transport/paginate.ts";
import { type CallOptions, type CreateOptions, type Send, splitOptions } from "../transport/transport.ts";
import type { GenerationPage } from "../types.ts";

export type GenerateInput = Omit<BodyOf<"POST /api/v1/generate">, "async">;
export type IdeaInput = Omit<BodyOf<"POST /api/v1/idea">, "async">;

export type GenerateOptions = CreateOptions & {
  /** Returns immediately with status `processing`. Read the result with `generations.get`. */
  readonly async?: boolean;
};

export type GenerationListOptions = CallOptions & Omit<QueryOf<"GET /api/v1/generations">, "cursor"> & { readonly cursor?: string | null };

export function generateMethods(send: Send) {
  return {
    /** Writes a text from the content of a board. */
    generate: async (input: GenerateInput, { async: isAsync, ...call }: GenerateOptions = {}): Promise<Generation> =>
      (await send("POST /api/v1/generate", { ...call, body: { ...input, async: isAsync } })).generation,

    /** Suggests ideas from the content of a board. */
    idea: async (input: IdeaInput, { async: isAsync, ...call }: GenerateOptions = {}): Promise<Generation> =>
      (await send("POST /api/v1/idea", { ...call, body: { ...input, async: isAsync } })).generation,
  };
}

export function generationMethods(send: Send) {
  async function list(options: GenerationListOptions = {}): Promise<GenerationPage> {
    const { call, rest } = splitOptions(options);
    const { generations, nextCursor } = await send("GET /api/v1/generations", {
      ...call,
      query: { ...rest, cursor: rest.cursor ?? undefined },
    });
    return { generations, nextCursor: nextCursor ?? null };
  }

  return {
    /** With `wait` (seconds, at most 60), responds when the generation is no longer processing, or when the time is up. */
    get: async (generationId: string, { wait, ...call }: CallOptions & { readonly wait?: number } = {}): Promise<Generation> =>
      (await send("GET /api/v1/generations/{generationId}", { ...call, path: { generationId }, query: { wait } })).generation,

    /** Newest first, without results. */
    list,

    /** Every generation, newest first, read page by page (100 per page by default). */
    iterate: (options: GenerationListOptions = {}): AsyncGenerator<GenerationSummary, void, undefined> =>
      paginate(async (cursor) => {
        const { generations, nextCursor } = await list({ limit: 100, ...options, cursor });
        return { items: generations, nextCursor };
      }, options.cursor),

    /** Cancels a generation that is processing. Fails with 409 if it has ended. */
    cancel: async (generationId: string, call: CallOptions = {}): Promise<Generation> =>
      (await send("POST /api/v1/generations/{generationId}/cancel", { ...call, path: { generationId } })).generation,
  };
}
