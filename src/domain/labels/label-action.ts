import { isDeepStrictEqual } from "node:util";
import { type TileProperties, findSizeProblem, mergeProperties } from "./properties.ts";
import { MAX_TAGS, addTags, removeTags } from "./tags.ts";

/** Changes the tags or properties of tiles. */
export type LabelAction =
  | { readonly kind: "add_tags" | "remove_tags"; readonly tags: readonly string[] }
  /** Null removes a property. */
  | { readonly kind: "set_properties"; readonly properties: TileProperties };

/** What the labels of a tile are made of. */
export type Labels = { readonly tags: readonly string[]; readonly properties: TileProperties };

/** What an action makes of a tile: `refused` if its tags or properties would exceed the limits. */
type LabelResult = { readonly next: Labels; readonly outcome: "same" | "changed" | "refused" };

export function applyLabelAction({ tags, properties }: Labels, action: LabelAction): LabelResult {
  const next =
    action.kind === "set_properties"
      ? { tags, properties: mergeProperties(properties, action.properties) }
      : { tags: (action.kind === "add_tags" ? addTags : removeTags)(tags, action.tags), properties };
  if (isDeepStrictEqual(next, { tags, properties })) return { next, outcome: "same" };
  const isRefused = next.tags.length > MAX_TAGS || findSizeProblem(next.properties) !== null;
  return { next, outcome: isRefused ? "refused" : "changed" };
}
