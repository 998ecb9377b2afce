/** A JSON object, such as a schema or an operation. */
export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** The value as an object; an empty one if it is something else. */
export const asObject = (value: unknown): Json => (isObject(value) ? value : {});

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asStrings = (value: unknown): readonly string[] => asList(value).filter((one) => typeof one === "string");

/** JSON with the keys in order, so that equal values have equal texts. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  ) ?? "";

/**
 * Follows references until a value is reached. Throws if a reference leads out of the document, to nothing or to itself: such a document
 * cannot be compared.
 */
export function resolve(document: Json, value: unknown): unknown {
  let found = value;
  const followed = new Set<string>();
  while (isObject(found) && typeof found["$ref"] === "string") {
    const reference = found["$ref"];
    if (followed.has(reference)) throw new Error(`The reference ${reference} leads to itself.`);
    followed.add(reference);
    const { $ref: _, ...beside } = found;
    const target = follow(document, reference);
    // What stands beside a reference applies too. Texts beside it are all that reference objects other than schemas may have.
    const keywords = Object.fromEntries(Object.entries(beside).filter(([key]) => !["description", "summary", "title"].includes(key)));
    found = Object.keys(keywords).length === 0 ? target : { allOf: [target, keywords] };
  }
  return found;
}

function follow(document: Json, reference: string): unknown {
  if (!reference.startsWith("#/")) throw new Error(`The reference ${reference} leads out of the document.`);
  let found: unknown = document;
  for (const part of reference.slice(2).split("/")) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isObject(found) || !Object.hasOwn(found, name)) throw new Error(`The reference ${reference} leads to nothing.`);
    found = found[name];
  }
  return found;
}
