import { type Static, type TSchema, Type } from "typebox";
import { Errors } from "typebox/schema";

const object = <P extends Record<string, TSchema>>(properties: P) => Type.Object(properties, { additionalProperties: false });

/** A quote from a source, with the number of the source in the prompt. */
const citation = object({ source: Type.Integer(), quote: Type.String() });

/**
 * The schemas of model output. They contain no length limits, since some providers reject them; `parseAsset` and `parseIdeas` check
 * the limits.
 */
export const ASSET = object({
  title: Type.String(),
  sections: Type.Array(object({ heading: Type.String(), text: Type.String(), citations: Type.Array(citation) })),
});
export const IDEAS = object({
  ideas: Type.Array(
    object({
      title: Type.String(),
      hook: Type.String(),
      angle: Type.String(),
      rationale: Type.String(),
      citations: Type.Array(citation),
    }),
  ),
});

export type AssetShape = Static<typeof ASSET>;
export type IdeasShape = Static<typeof IDEAS>;
export type CitationShape = Static<typeof citation>;

/** Describes the first mismatch between value and schema for the model. Returns null when the value is valid. */
export function findMismatch(schema: TSchema, value: unknown): string | null {
  const [isFitting, errors] = Errors(schema, value);
  if (isFitting) return null;
  const [first] = errors;
  return first === undefined
    ? "it does not match the schema"
    : `${first.instancePath === "" ? "the object" : first.instancePath} ${first.message}`;
}
