import { type Static, type TSchema, Type } from "typebox";
import { type TileOptions, omitNullOptions, pickTileOptions, toLanguageTag } from "#domain/content/tile-options.ts";
import { invalidField } from "#domain/core/errors/error.ts";
import { type Output, type object, orNull } from "../schema.ts";

/** The options of a tile as HTTP and MCP present them. */
export const OPTION_FIELDS = {
  connectedToChat: orNull("boolean", {
    description: "false: never used to answer questions. true: used if its zone is connected. null: follows its zone.",
  }),
  languageHint: Type.Optional(Type.String({ description: "The language of the text, where one was given." })),
} satisfies Readonly<Record<keyof TileOptions, TSchema>>;

export const presentTileOptions = (tile: TileOptions): Output<ReturnType<typeof object<typeof OPTION_FIELDS>>> =>
  omitNullOptions(pickTileOptions(tile));

/** The options of a tile, which every request that creates or changes one accepts. */
export const OPTION_INPUTS = {
  connected_to_chat: Type.Optional(
    orNull("boolean", {
      description: "false: never used to answer questions. true: used if its zone is connected. null (default): follows its zone.",
    }),
  ),
  language_hint: Type.Optional(
    orNull("string", {
      description:
        "The language of the text, as a BCP 47 tag such as de or pt-BR. It replaces the detected one. null (default): detect it.",
    }),
  ),
};

type OptionsBody = Static<ReturnType<typeof Type.Object<typeof OPTION_INPUTS>>>;

/** Returns the options that a request sets. The type of `options` names every option, so a new one does not compile until it is read. */
export function readTileOptions(body: OptionsBody): Partial<TileOptions> {
  const options: { readonly [Name in keyof TileOptions]: TileOptions[Name] | undefined } = {
    connectedToChat: body.connected_to_chat,
    languageHint: readLanguage(body.language_hint),
  };
  return pickTileOptions(options);
}

function readLanguage(value: string | null | undefined): string | null | undefined {
  if (value === undefined || value === null) return value;
  const tag = toLanguageTag(value);
  if (tag === null) throw invalidField("language_hint", "must be a BCP 47 language tag such as de or pt-BR.");
  return tag;
}
