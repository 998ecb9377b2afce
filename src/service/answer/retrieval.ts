import type { RetrievalDeps, Semantic } from "#retrieval/candidates.ts";
import { toBinaryEmbedding } from "#retrieval/semantic/binary-embedding.ts";
import type { SearchDeps } from "../deps.ts";
import { warnOnce } from "./log-failure.ts";

/** How long a question waits for its vector; without a vector only lexical search is used. */
const VECTOR_TIMEOUT_MS = 1_500;

/** Returns the dependencies of retrieval: the lexical index and, when they are enabled, the vectors. `signal` ends the wait for unindexed tiles. */
export const createRetrievalDeps = (deps: SearchDeps, signal?: AbortSignal): RetrievalDeps => ({
  search: deps.store.search,
  analyseWaiting: (tiles) => deps.analyser.analyseWaiting(tiles, signal),
  semantic: createSemantic(deps),
});

function createSemantic({ embedder, store, log }: SearchDeps): Semantic | null {
  if (embedder === null) return null;
  const { vectors } = store;
  const { model } = embedder;
  return {
    vectors: {
      nearest: (businessId, boardId, embedding, limit) => vectors.nearest(businessId, boardId, embedding, limit, model),
      embeddings: (businessId, boardId, documents) => vectors.embeddings(businessId, boardId, documents, model),
    },
    async embedQuestion(question) {
      if (!embedder.accepts(question)) return null;
      try {
        const [vector] = await embedder.embed([question], { isUrgent: true, signal: AbortSignal.timeout(VECTOR_TIMEOUT_MS) });
        return vector === undefined ? null : toBinaryEmbedding(vector);
      } catch (error) {
        // Lexical search still works, so an unavailable embedding model is reported to the operator and not to the caller.
        warnOnce(log, error, "no vector for a question; it is answered by its words alone");
        return null;
      }
    },
  };
}
