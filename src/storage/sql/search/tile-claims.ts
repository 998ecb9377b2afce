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
