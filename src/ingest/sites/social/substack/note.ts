import { IngestError } from "#domain/content/job.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { buildTitle, encodePathPart, formatQuote, getUrl, joinParagraphs } from "../../../extract/posts/post-text.ts";
import { formatReplies, type Reply } from "../../../extract/posts/replies.ts";
import { loginWallError, notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { getArray, getNumber, getString, getValue, omitEmpty, keepValidCounts } from "../../../read/json-access.ts";
import { formatAttachments, formatBody } from "./body.ts";
import { fetchNotePage, SERVICE } from "./page.ts";

const ORIGIN = "https://substack.com";
const REPLIES = { maxCount: 30, maxDepth: 3 };

/** Maps an error response. Only a JSON body is from Substack's API; others may come from a proxy in front of it. */
function mapError(status: number, text: string): IngestError | null {
  if (!/^\s*\{/.test(text)) return null;
  if (status === 404 || status === 410) return notFoundError("This note");
  return status === 401 || status === 403 ? loginWallError(SERVICE) : null;
}

const isDeleted = (comment: unknown): boolean =>
  getValue(comment, "deleted") === true || (getValue(comment, "body") === null && getArray(comment, "attachments").length === 0);

const getAuthor = (comment: unknown): string | null => getString(comment, "name") ?? getString(comment, "handle");

/** Reads a branch of `/replies`: a comment, and a flat list of all comments below it. */
const readBranch = (branch: unknown): Reply => {
  const comment = getValue(branch, "comment") ?? branch;
  return {
    author: getAuthor(comment),
    text: isDeleted(comment) ? null : formatBody(comment),
    below: getArray(branch, "descendantComments"),
  };
};

async function fetchReplies(context: ExtractContext, comment: unknown): Promise<ReturnType<typeof formatReplies>> {
  if ((getNumber(comment, "children_count") ?? 0) < 1) return { text: "", isTruncated: false };
  const url = `${ORIGIN}/api/v1/reader/comment/${context.kind.id ?? ""}/replies`;
  const response = await fetchJson(context, { service: SERVICE, url });
  const replies = formatReplies(getArray(response, "commentBranches"), readBranch, REPLIES);
  return { ...replies, isTruncated: replies.isTruncated || getString(response, "nextCursor") !== null };
}

const NO_TEXT = { code: "no_text", message: "This note has no text. Describe its pictures by hand to find it again." };
const TRUNCATED = { code: "truncated", message: `Only the first ${REPLIES.maxCount} replies were kept.` };

/** Returns a note without its replies. Throws `IngestError` if it was deleted or has an unknown format. */
function resultFromNote(context: ExtractContext, item: unknown): PartialResult {
  const comment = getValue(item, "comment");
  if (String(getValue(comment, "id")) !== context.kind.id) throw sourceChangedError(SERVICE);
  if (isDeleted(comment)) throw notFoundError("This note");
  if (typeof getValue(comment, "body") !== "string" && getArray(comment, "attachments").length === 0) throw sourceChangedError(SERVICE);
  const author = getAuthor(comment);
  const handle = getString(comment, "handle");
  const parent = getArray(item, "parentComments").at(-1);
  const body = formatBody(comment);
  const picture = getArray(comment, "attachments").find((attachment) => getUrl(attachment, "imageUrl") !== null);
  const authorUrl = handle === null ? null : `${ORIGIN}/@${encodePathPart(handle)}`;
  return {
    title: buildTitle(author, SERVICE, body),
    text: joinParagraphs([formatQuote(getAuthor(parent), formatBody(parent)), body, formatAttachments(comment)]),
    metadata: omitEmpty({
      author,
      authorUrl,
      siteName: SERVICE,
      publishedAt: toIsoDate(getString(comment, "date")),
      thumbnailUrl: getUrl(picture, "imageUrl"),
      canonicalUrl: `${authorUrl ?? ORIGIN}/note/c-${context.kind.id}`,
      stats: keepValidCounts({
        likes: getNumber(comment, "reaction_count"),
        comments: getNumber(comment, "children_count"),
        shares: getNumber(comment, "restacks"),
      }),
    }),
  };
}

/** The note and its first replies, by the requests of the site's own reader. */
const api: ContentSource = {
  name: "API",
  run: async (context) => {
    const url = `${ORIGIN}/api/v1/reader/comment/${context.kind.id ?? ""}`;
    const item = getValue(await fetchJson(context, { service: SERVICE, url, mapError }), "item");
    const note = resultFromNote(context, item);
    try {
      const replies = await fetchReplies(context, getValue(item, "comment"));
      return {
        ...note,
        text: joinParagraphs([note.text, replies.text]),
        warnings: [...(note.text === "" ? [NO_TEXT] : []), ...(replies.isTruncated ? [TRUNCATED] : [])],
        isComplete: true,
      };
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      return { ...note, error };
    }
  },
};

/** The data that the note's page embeds for its scripts, or else its Open Graph tags. */
const page: ContentSource = {
  name: "page",
  run: async (context, partial) => (partial.text ? null : fetchNotePage(context, (comment) => resultFromNote(context, { comment }))),
};

/** A public note: what its author wrote and shared, and the first replies. */
export const noteReader: SiteReader = {
  name: "note",
  missing: { code: "truncated", message: "The replies or the end of this note could not be read. Retry later, or paste the rest." },
  sources: [api, page],
};
