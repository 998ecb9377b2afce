import type { RetrievalDeps, Semantic } from "#retrieval/candidates.ts";
import { toBinaryEmbedding } from "#retrieval/semantic/binary-embedding.ts";
import type { Deps } from "../deps.ts";

/** How long a question waits for its vector; without one it is answered by its words. */
const VECTOR_MS = 1_500;

/** What retrieval stands on: the board's index and, where they are on, its vectors. */
export const retrievalDeps = (deps: Deps): RetrievalDeps => ({
  search: deps.store.search,
  analyse: (items, only) => deps.analyser.analyse(items, only),
  semantic: semanticOf(deps),
});

function semanticOf({ embedder, store, onEmbedderFailure }: Deps): Semantic | null {
  if (embedder === null) return null;
  const { vectors } = store;
  const { model } = embedder;
  return {
    vectors: {
      nearest: (businessId, boardId, signature, limit) => vectors.nearest(businessId, boardId, signature, limit, model),
      signatures: (businessId, boardId, documents) => vectors.signatures(businessId, boardId, documents, model),
    },
    async embedQuestion(question) {
      if (!embedder.accepts(question)) return null;
      try {
        const [vector] = await embedder.embed([question], { isUrgent: true, signal: AbortSignal.timeout(VECTOR_MS) });
        return vector === undefined ? null : toBinaryEmbedding(vector);
      } catch (error) {
        // A question can be answered by its words alone, so a model that is away is the operator's concern, not the caller's.
        onEmbedderFailure?.(error);
        return null;
      }
    },
  };
}
