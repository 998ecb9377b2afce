import type { Params, Unit } from "../unit.ts";

type TileRef = { readonly businessId: string; readonly tileId: string };

/**
 * Keeps nodes that share PostgreSQL from doing the same long work on a tile. One process at a time indexes on SQLite, which needs no
 * claims.
 */
export type TileClaims = {
  /** A condition on the tile `t`: no other process has claimed it. */
  readonly isFree: string;
  /** The parameters of `isFree`. */
  readonly freeParams: Params;
  /** Claims a tile for this process, or renews the claim. Returns false when another process has claimed it. */
  claim(tile: TileRef): Promise<boolean>;
  /** Releases a claim in the unit of work that stores the result. */
  release(tile: TileRef): Unit<void>;
};

/** The parts of the search store that differ between the engines. */
export type SearchAdapter = {
  readonly claims: TileClaims;
  /** Terms in one unit of work when several tiles are written together. */
  readonly groupTerms: number;
  /** Maximum number of terms that one unit of work writes. A tile with more is written in parts. */
  readonly maxTerms: number;
};

/** The parts of the vector store that differ between the engines. */
export type VectorAdapter = {
  readonly claims: TileClaims;
  /** Locks the model until the unit is committed. */
  lockModel(): Unit<void>;
  /**
   * Claims the model, or null, for this process until it ends. Returns false while another process has claimed something else. Null if
   * only one process makes vectors.
   */
  readonly claimModel: ((model: string | null) => Promise<boolean>) | null;
};
