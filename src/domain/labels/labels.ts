import { hash } from "node:crypto";
import type { Labels } from "./label-action.ts";
import type { PropertyValue } from "./properties.ts";
import { foldTag } from "./tags.ts";

/*
 * Labels are the entries of the index by which tiles are found: one for each tag, and one for each value of a property. Their first
 * character tells the two apart.
 */

/** The conditions of a filter on tags and properties. A tile must have all tags, and for each key one of its values. */
export type LabelFilter = {
  readonly tags?: readonly string[];
  readonly properties?: Readonly<Record<string, readonly string[]>>;
};

/** Longer labels are replaced by a hash, since databases limit the length of keys. In UTF-16 code units. */
const MAX_LABEL_LENGTH = 200;

const labelTag = (tag: string): string => shorten(`#${foldTag(tag)}`);
const labelProperty = (key: string, text: string): string => shorten(`=${JSON.stringify([key, text])}`);
const shorten = (label: string): string => (label.length <= MAX_LABEL_LENGTH ? label : `${label[0]}${hash("sha256", label, "base64url")}`);

/** Returns the texts by which a property is found: of a number, a boolean or null its JSON, of an array each item. */
const listTexts = (value: PropertyValue): readonly string[] => (typeof value === "object" && value !== null ? value : [String(value)]);

/**
 * Returns the texts by which a value of a filter is found: its own, and that of a number that JSON writes with another exponent, as 1e308
 * is 1e+308. Other numbers have one text: 1.10 can be a version, which is not 1.1.
 */
function listSpellings(text: string): readonly string[] {
  const number = DECIMAL.test(text) ? String(Number(text)) : text;
  return number.includes("e") && number !== text ? [text, number] : [text];
}
const DECIMAL = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Returns the labels of a tile, each once. */
export function listLabels({ tags, properties }: Labels): readonly string[] {
  const labels = new Set(tags.map(labelTag));
  for (const [key, value] of Object.entries(properties)) for (const text of listTexts(value)) labels.add(labelProperty(key, text));
  return [...labels];
}

/** Writing a label takes as long as writing so many characters of text. */
const LABEL_CHARACTERS = 200;

/** Returns the length of a text that takes as long to write as the labels of a tile. */
export function weighLabels({ tags, properties }: { readonly [Name in keyof Labels]?: Labels[Name] | null | undefined }): number {
  const values = Object.values(properties ?? {}).map(listTexts);
  return ((tags ?? []).length + values.reduce((sum, texts) => sum + texts.length, 0)) * LABEL_CHARACTERS;
}

/** Returns groups of labels: a tile matches if it has at least one label of each group. */
export const groupLabels = ({ tags = [], properties = {} }: LabelFilter): readonly (readonly string[])[] => [
  ...[...new Set(tags.map(labelTag))].map((label) => [label]),
  ...Object.entries(properties).map(([key, texts]) => [...new Set(texts.flatMap(listSpellings).map((text) => labelProperty(key, text)))]),
];
