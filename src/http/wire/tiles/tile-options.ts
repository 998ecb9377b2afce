import { type Static, type TSchema, Type } from "typebox";
import { type GivenTileOptions, type TileOptions, omitNullOptions, pickTileOptions, toLanguageTag } from "#domain/content/tile-options.ts";
import { invalidField } from "#domain/core/errors/error.ts";
import {
  MAX_PROPERTIES,
  MAX_PROPERTY_ITEMS,
  MAX_PROPERTY_KEY_LENGTH,
  MAX_PROPERTY_LENGTH,
  type TileProperties,
  parseProperties,
} from "#domain/labels/properties.ts";
import { MAX_TAGS, MAX_TAG_LENGTH, type Parsed, parseTags } from "#domain/labels/tags.ts";
import { type Output, type object, orNull } from "../schema.ts";

/** The tags of a tile, in requests and responses. */
const TAGS_SCHEMA = {
  title: "Tags",
  description: `Up to ${MAX_TAGS} tags of at most ${MAX_TAG_LENGTH} characters. Spaces around a tag are left out, and tags that differ from an earlier one only in case.`,
  items: { type: "string" },
};
export const TAGS = Type.Unsafe<readonly string[]>({ type: "array", ...TAGS_SCHEMA });

/** The properties of a tile, in requests and responses. */
const PROPERTIES_SCHEMA = {
  title: "TileProperties",
  description: `Your own data: up to ${MAX_PROPERTIES} keys of at most ${MAX_PROPERTY_KEY_LENGTH} characters. Texts have at most ${MAX_PROPERTY_LENGTH.toLocaleString("en")} characters, and arrays up to ${MAX_PROPERTY_ITEMS} texts; all together 16 KiB as JSON.`,
  additionalProperties: {
    anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }, { type: "array", items: { type: "string" } }, { type: "null" }],
  },
};

/** The options of a tile as HTTP and MCP present them. */
export const OPTION_FIELDS = {
  connectedToChat: orNull("boolean", {
    description: "false: never used to answer questions. true: used if its zone is connected. null: follows its zone.",
  }),
  languageHint: Type.Optional(Type.String({ description: "The language of the text, where one was given." })),
  tags: TAGS,
  properties: Type.Unsafe<TileProperties>({ type: "object", ...PROPERTIES_SCHEMA }),
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
  tags: Type.Optional(Type.Unsafe<unknown>({ type: ["array", "null"], ...TAGS_SCHEMA })),
  properties: Type.Optional(Type.Unsafe<unknown>({ type: ["object", "null"], ...PROPERTIES_SCHEMA })),
};

type OptionsBody = Static<ReturnType<typeof Type.Object<typeof OPTION_INPUTS>>>;

/** Returns the options that a request sets. The type of `options` names every option, so a new one does not compile until it is read. */
export function readTileOptions(body: OptionsBody): GivenTileOptions {
  const options: { readonly [Name in keyof TileOptions]: TileOptions[Name] | null | undefined } = {
    connectedToChat: body.connected_to_chat,
    languageHint: readLanguage(body.language_hint),
    tags: readOption("tags", body.tags, parseTags),
    properties: readOption("properties", body.properties, parseProperties),
  };
  return pickTileOptions(options);
}

function readLanguage(value: string | null | undefined): string | null | undefined {
  if (value === undefined || value === null) return value;
  const tag = toLanguageTag(value);
  if (tag === null) throw invalidField("language_hint", "must be a BCP 47 language tag such as de or pt-BR.");
  return tag;
}

/** Returns what was read of a field. Throws 400 for what is wrong with it. */
export function requireValid<Value>(field: string, parsed: Parsed<Value>): Value {
  if ("problem" in parsed) throw invalidField(field, parsed.problem);
  return parsed.value;
}

const readOption = <Value>(field: string, given: unknown, parse: (value: unknown) => Parsed<Value>): Value | null | undefined =>
  given === undefined || given === null ? given : requireValid(field, parse(given));
