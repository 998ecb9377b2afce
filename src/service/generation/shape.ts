import { type Static, type TSchema, Type } from "typebox";
import { Errors } from "typebox/schema";

const object = <P extends Record<string, TSchema>>(properties: P) => Type.Object(properties, { additionalProperties: false });

/** Words copied from a source, by the number it was given under. */
const citation = object({ source: Type.Integer(), quote: Type.String() });

/**
 * What a model is to answer. Bounds are not part of it, since some providers refuse a schema with them; `readPiece` and `readIdeas`
 * see to those.
 */
export const PIECE = object({
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

export type PieceShape = Static<typeof PIECE>;
export type IdeasShape = Static<typeof IDEAS>;
export type CitationShape = Static<typeof citation>;

/** The first thing in which a value is not of this form, in words for a model; null where it is. */
export function misfit(schema: TSchema, value: unknown): string | null {
  const [isFitting, errors] = Errors(schema, value);
  if (isFitting) return null;
  const [first] = errors;
  return first === undefined ? "it is of another form" : `${first.instancePath === "" ? "the whole" : first.instancePath} ${first.message}`;
}
