import type { Open, TileMetadata, TileType } from "@tessera-board/sdk";
import { TILE_KINDS } from "./tile-kinds.ts";

export type TileIcon = (typeof TILE_KINDS)[keyof typeof TILE_KINDS]["icon"];

const KINDS: Readonly<Record<string, { readonly label: string; readonly icon: TileIcon } | undefined>> = TILE_KINDS;

/** The name of a tile's type; a type that this version does not know is named after its code. */
export function getKindName(type: Open<TileType>): string {
  const words = type.toLowerCase().replaceAll("_", " ");
  return KINDS[type]?.label ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** The icon of a tile's type; a page for a type that this version does not know. */
export const getTileIcon = (type: Open<TileType>): TileIcon => KINDS[type]?.icon ?? "page";

/** The display name of a text's origin; undefined if it was not generated from the board. */
export function getOriginName(origin: TileMetadata["origin"]): string | undefined {
  if (origin === "answer") return "Saved answer";
  return origin === "generation" ? "Generated" : undefined;
}
