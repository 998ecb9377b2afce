import { invalidField } from "#domain/core/errors/error.ts";

/** Parsing a longer text would block other work. No list or object of a tile is as long. In UTF-16 code units. */
const MAX_JSON_LENGTH = 65_536;

/**
 * Returns a field of a form as JSON would have it. A list is an array in JSON, a text with commas, or several fields with its name. Of
 * other fields with the same name, the last one counts.
 */
export function readFormField(name: string, type: string | undefined, value: unknown): unknown {
  const texts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const last = texts.at(-1);
  if (type === "array") {
    const lists = texts.filter((text) => typeof text === "string" && text.trim() !== "") as readonly string[];
    return lists.length === 0 ? last : lists.flatMap((text) => readFormList(name, text));
  }
  return type === "object" && typeof last === "string" && last.trim() !== "" ? parseFormJson(name, last, "a JSON object") : last;
}

const readFormList = (name: string, text: string): unknown =>
  text.trimStart().startsWith("[")
    ? parseFormJson(name, text, "a JSON array, or a text with commas")
    : text.split(",").filter((one) => one.trim() !== "");

function parseFormJson(name: string, text: string, expected: string): unknown {
  if (text.length > MAX_JSON_LENGTH) throw invalidField(name, "is too long.");
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField(name, `must be ${expected}.`);
  }
}
