import { truncateText } from "../../clean/text.ts";
import { type JsonPath, getString } from "../../read/json-access.ts";

/** Characters of a post's first line in its title. */
const TITLE_WORDS = 100;

/** Joins the parts that are not empty with empty lines. */
export const joinParagraphs = (parts: readonly (string | null | undefined)[]): string =>
  parts
    .map((part) => part?.trim() ?? "")
    .filter((part) => part !== "")
    .join("\n\n");

/** The http or https URL at the path; null for anything else, such as a script. */
export function getUrl(value: unknown, ...path: JsonPath): string | null {
  const written = getString(value, ...path);
  const url = written === null || written.length > 4_000 ? null : URL.parse(written);
  return url !== null && /^https?:$/.test(url.protocol) ? written : null;
}

/** Encodes an untrusted name as a path segment; lone surrogates, which URLs cannot contain, are replaced. */
export const encodePathPart = (name: string): string => encodeURIComponent(name.slice(0, 300).toWellFormed());

/** Formats another author's text as a Markdown quote. */
export function formatQuote(author: string | null, text: string): string {
  const words = [author, text.trim()].filter((part) => part !== null && part !== "").join(": ");
  return words === ""
    ? ""
    : words
        .split("\n")
        .map((line) => `> ${line}`.trimEnd())
        .join("\n");
}

function firstLineOf(text: string): string {
  const line =
    text
      .slice(0, 5_000)
      .split("\n")
      .map((one) => one.trim())
      .find((one) => one !== "" && !/^(?:>|- )/.test(one)) ?? "";
  const cut = truncateText(line, TITLE_WORDS);
  if (!cut.truncated) return line;
  const space = cut.text.lastIndexOf(" ");
  return `${space > TITLE_WORDS / 2 ? cut.text.slice(0, space) : cut.text}…`;
}

/** Builds a title for a post without one, as the sites do for their pages: author, site, first words. */
export function buildTitle(author: string | null, service: string, text: string): string | null {
  const line = firstLineOf(text);
  if (author === null) return line || null;
  return line === "" ? `${author} on ${service}` : `${author} on ${service}: ${line}`;
}

/** Whether a text ends with an ellipsis, as truncated previews do. */
export const isTruncatedText = (text: string): boolean => /(?:…|\.\.\.)["”]?\s*$/.test(text.slice(-20));
