import { truncateText } from "../../clean/text.ts";
import { type JsonPath, getString } from "../../read/json-access.ts";

/** Maximum number of characters of a post's first line in its title. */
const MAX_TITLE_LINE_LENGTH = 100;

/** Joins the parts that are not empty with empty lines. */
export const joinParagraphs = (parts: readonly (string | null | undefined)[]): string =>
  parts
    .map((part) => part?.trim() ?? "")
    .filter((part) => part !== "")
    .join("\n\n");

/** Returns the http or https URL at the path, or null for any other value. */
export function getUrl(value: unknown, ...path: JsonPath): string | null {
  const written = getString(value, ...path);
  const url = written === null || written.length > 4_000 ? null : URL.parse(written);
  return url !== null && /^https?:$/.test(url.protocol) ? written : null;
}

/** Encodes an untrusted name as a path segment. Lone surrogates are replaced, because URLs can't contain them. */
export const encodePathPart = (name: string): string => encodeURIComponent(name.slice(0, 300).toWellFormed());

/** Formats another author's text as a Markdown quote. */
export function formatQuote(author: string | null, text: string): string {
  const quoted = [author, text.trim()].filter((part) => part !== null && part !== "").join(": ");
  return quoted === ""
    ? ""
    : quoted
        .split("\n")
        .map((line) => `> ${line}`.trimEnd())
        .join("\n");
}

function getFirstLine(text: string): string {
  const line =
    text
      .slice(0, 5_000)
      .split("\n")
      .map((one) => one.trim())
      .find((one) => one !== "" && !/^(?:>|- )/.test(one)) ?? "";
  const cut = truncateText(line, MAX_TITLE_LINE_LENGTH);
  if (!cut.truncated) return line;
  const space = cut.text.lastIndexOf(" ");
  return `${space > MAX_TITLE_LINE_LENGTH / 2 ? cut.text.slice(0, space) : cut.text}…`;
}

/** Builds a title for a post without one: author, site and first line. */
export function buildTitle(author: string | null, service: string, text: string): string | null {
  const line = getFirstLine(text);
  if (author === null) return line || null;
  return line === "" ? `${author} on ${service}` : `${author} on ${service}: ${line}`;
}

/** Whether a text ends with an ellipsis, as truncated previews do. */
export const isTruncatedText = (text: string): boolean => /(?:…|\.\.\.)["”]?\s*$/.test(text.slice(-20));
