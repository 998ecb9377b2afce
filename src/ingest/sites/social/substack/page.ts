import type { ExtractContext } from "../../../extract/extractor.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { buildTitle } from "../../../extract/posts/post-text.ts";
import { loginWallError, sourceChangedError } from "../../../extract/sources/errors.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import { findAll, getNumber, getValue, omitEmpty } from "../../../read/json-access.ts";

export const SERVICE = "Substack";

/** Finds the end of the string literal that begins at `start`: the first quotation mark that is not escaped. Returns -1 if there is none. */
function findStringEnd(html: string, start: number): number {
  for (let end = html.indexOf('"', start + 1); end >= 0; end = html.indexOf('"', end + 1)) {
    let slashes = 0;
    while (html[end - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

/** Parses the value of `window._preloads = JSON.parse("…")`. Returns null if the page has none, or it is invalid. */
function parsePreloads(html: string): unknown {
  const assignment = /window\._preloads\s{0,20}=\s{0,20}JSON\.parse\(/.exec(html);
  if (assignment === null) return null;
  const start = assignment.index + assignment[0].length;
  const end = html[start] === '"' ? findStringEnd(html, start) : -1;
  if (end < 0) return null;
  try {
    return JSON.parse(JSON.parse(html.slice(start, end + 1)) as string);
  } catch {
    return null;
  }
}

/**
 * Reads the note's page. If the page embeds the note's data, `readComment` converts it. Otherwise the tags in the head contain the start
 * of the note. Throws `login_wall` if the page has neither, as for notes for subscribers.
 */
export async function fetchNotePage(context: ExtractContext, readComment: (comment: unknown) => PartialResult): Promise<PartialResult> {
  const { head, text: html, resource } = await fetchHead(context, { service: SERVICE, url: context.url, acceptLanguage: "en" });
  if (!new URL(resource.url).pathname.includes(`c-${context.kind.id}`)) throw loginWallError(SERVICE);
  const comment = findAll(parsePreloads(html), "comment").find((one) => String(getValue(one, "id")) === context.kind.id);
  if (comment !== undefined) return { ...readComment(comment), isComplete: getNumber(comment, "children_count") === 0 };
  const result = resultFromHead(head, resource.url);
  if (!head.meta["og:description"]) throw head.meta["og:title"] ? loginWallError(SERVICE) : sourceChangedError(SERVICE);
  const author = head.meta["og:title"]?.replace(/ \(@[^()]{1,300}\)| on Substack$/g, "") ?? null;
  return {
    ...result,
    title: buildTitle(author, SERVICE, result.text ?? ""),
    metadata: { ...result.metadata, ...omitEmpty({ author, siteName: SERVICE }) },
  };
}
