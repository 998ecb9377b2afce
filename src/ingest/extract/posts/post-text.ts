import { truncateText } from "../../clean/text.ts";
import { type JsonPath, getString } from "../../read/json-access.ts";

/** Characters of a post's first line that its title shows. */
const TITLE_WORDS = 100;

/** The parts that hold something, an empty line between them. */
export const joinParagraphs = (parts: readonly (string | null | undefined)[]): string =>
  parts
    .map((part) => part?.trim() ?? "")
    .filter((part) => part !== "")
    .join("\n\n");

/** The address at the path where it is one of the web; null for anything else, such as a script in its place. */
export function getUrl(value: unknown, ...path: JsonPath): string | null {
  const written = getString(value, ...path);
  const url = written === null || written.length > 4_000 ? null : URL.parse(written);
  return url !== null && /^https?:$/.test(url.protocol) ? written : null;
}

/** A name from outside as a part of a path; half characters, which no address can hold, are replaced. */
export const encodePathPart = (name: string): string => encodeURIComponent(name.slice(0, 300).toWellFormed());

/** What somebody else said, as a Markdown quote. */
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

/** A title for what has none of its own, as the services write it for their pages: who, where, the first words. */
export function buildTitle(author: string | null, service: string, text: string): string | null {
  const line = firstLineOf(text);
  if (author === null) return line || null;
  return line === "" ? `${author} on ${service}` : `${author} on ${service}: ${line}`;
}

/** Whether words end where a service cut them. */
export const isTruncatedText = (text: string): boolean => /(?:…|\.\.\.)["”]?\s*$/.test(text.slice(-20));
