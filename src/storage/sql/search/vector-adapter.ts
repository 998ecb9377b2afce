import type { EmbeddingBlock } from "../../shared/embedding-block.ts";
import type { Unit } from "../unit.ts";
import type { TileClaims } from "./tile-claims.ts";

export type StoredBlock = { readonly block: number; readonly version: number };

/** The parts that differ between engines: nodes that share PostgreSQL claim tiles, and cache blocks that they fetched. */
export type VectorAdapter = TileClaims & {
  /** Locks the model until the unit is committed. */
  lockModel(): Unit<void>;
  /**
   * Claims the model, or null, for this process until it ends. Returns false while another process has claimed something else. Null if
   * only one process makes vectors.
   */
  readonly claimModel: ((model: string | null) => Promise<boolean>) | null;
  /** Reads blocks of vectors in the requested order. Missing blocks are skipped. */
  readBlocks(
    businessId: string,
    board: number,
    wanted: readonly StoredBlock[],
  ): AsyncIterable<{ readonly block: number; readonly embeddings: EmbeddingBlock }>;
};
