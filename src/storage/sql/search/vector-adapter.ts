import type { WaitingTile } from "../../shared/turns/round-robin.ts";
import type { Params, Unit } from "../unit.ts";

export type StoredBlock = { readonly block: number; readonly version: number };

/** The parts that differ between engines: nodes that share PostgreSQL claim tiles, and cache blocks that they fetched. */
export type VectorAdapter = {
  /** A condition on the tile `t`: no other process embeds it. */
  readonly isFree: string;
  /** The parameters of `isFree`. */
  readonly freeParams: Params;
  /** Claims a tile for this process. Returns false when another process has claimed it. */
  claim(tile: WaitingTile): Promise<boolean>;
  /** Releases a claim in the unit of work that stores the tile's vectors. */
  release(tile: { readonly businessId: string; readonly tileId: string }): Unit<void>;
  /** Locks the model until the unit is committed. Deleting all vectors may take longer than the usual timeout of a statement. */
  lockModel(): Unit<void>;
  /** Reads blocks of vectors in the requested order. Missing blocks are skipped. */
  readBlocks(
    businessId: string,
    board: number,
    wanted: readonly StoredBlock[],
  ): AsyncIterable<{ readonly block: number; readonly embeddings: Uint8Array }>;
};
