import { IngestError } from "#domain/content/job.ts";
import { omitEmpty, keepValidCounts } from "../../read/json-access.ts";
import type { ExtractContext } from "../extractor.ts";
import type { PartialResult } from "../sources/run-sources.ts";
import { fetchHead, resultFromHead } from "../fetch/page-head.ts";
import { loginWallError } from "../sources/errors.ts";
import { isTruncatedText, buildTitle } from "../posts/post-text.ts";
import { parseCount, readCaption } from "./caption.ts";
import { isVideo, type MetaService } from "./service.ts";

/** Titles of login pages. */
const LOGIN =
  /^(?:(?:log ?in|sign ?up)(?: (?:to|or|for|[•·|–-])(?: .*)?)?|log into facebook|facebook(?: [-–] log in.*)?|instagram|threads|.{0,40}[•·|]\s*log in)$/i;
const NOT_FOUND = /(?:page not found|content not found|(?:this )?(?:content|page|post) isn[’']t available)/i;

const missingOrHiddenError = (): IngestError =>
  new IngestError("not_found", "This does not exist, was deleted, or is shown only to some. Check the link.", { stage: "fetch" });

/** Parses the name in `Name on Instagram: …`, `Name (@name) on Threads` or `Name (@name) • Instagram photos …`. */
const parseName = (title: string): string | null => {
  const start = title.slice(0, 300);
  const found = /^(.{1,150}?)(?: \(@[\w.]{1,50}\))? (?:on (?:Instagram|Threads|Facebook)|[•·] (?:Instagram|Threads))/.exec(start);
  return found?.[1] ?? null;
};

/** Returns the author's name from the title of a Facebook post, which may end with the post's first words. */
function toPageName(title: string, description: string): string | null {
  const ownTitle = title.replace(/ \| Facebook$/, "");
  const dash = ownTitle.indexOf(" - ");
  const first = dash < 0 ? "" : ownTitle.slice(dash + 3, dash + 23);
  const name = first !== "" && description.startsWith(first) ? ownTitle.slice(0, dash) : ownTitle;
  return name === "" || name.length > 100 || isTruncatedText(name) ? null : name;
}

const POST = /^(?:POST|REEL|VIDEO|PHOTO|STORY)$/;

/** Parses `1,234 Followers, 56 Following, 78 Posts`. */
function parseAccountStats(description: string): Readonly<Record<string, number>> | undefined {
  const start = description.slice(0, 300);
  const count = (word: string): number | null => parseCount(new RegExp(`([\\d.,]{1,20}[KMB]?) ${word}`, "i").exec(start)?.[1]);
  return keepValidCounts({ followers: count("followers"), likes: count("likes"), posts: count("posts") });
}

/**
 * Reads the head of a page, including Instagram's description of one line. Throws `IngestError` `login_wall` for a login page. The result
 * is complete for a post without video, unless its text is truncated.
 */
export async function readMetaPage(context: ExtractContext, service: MetaService): Promise<PartialResult> {
  const { head, text: html, resource } = await fetchHead(context, { service: service.name, url: context.url, acceptLanguage: "en" });
  const { meta } = head;
  const title = meta["og:title"] ?? "";
  const description = meta["og:description"] ?? "";
  if (NOT_FOUND.test(`${title} ${head.title ?? ""}`.slice(0, 600))) throw missingOrHiddenError();
  if (description === "" && (title === "" || LOGIN.test(title)))
    throw meta["og:title"] === undefined && /isn[’']t available right now/.test(html)
      ? missingOrHiddenError()
      : loginWallError(service.name);
  if (LOGIN.test(title) || /^(?:log into facebook|join threads to share)/i.test(description)) throw loginWallError(service.name);
  const found = resultFromHead(head, resource.url);
  const caption = readCaption(description);
  const isPost = POST.test(context.kind.subtype ?? "");
  const author = parseName(title) ?? caption?.user ?? (service.type === "FACEBOOK" ? toPageName(title, description) : null);
  const text = caption?.text ?? description;
  return {
    title: isPost ? buildTitle(author, service.name, text) : (found.title ?? null),
    text,
    metadata: {
      ...found.metadata,
      ...omitEmpty({
        author,
        authorUrl: buildAuthorUrl(service, title, caption?.user ?? null),
        siteName: service.name,
        publishedAt: caption?.publishedAt ?? null,
        stats: caption?.stats ?? (isPost ? undefined : parseAccountStats(description)),
      }),
    },
    isComplete: isPost && !isVideo(context.kind.subtype) && text !== "" && !isTruncatedText(text),
  };
}

function buildAuthorUrl(service: MetaService, title: string, user: string | null): string | null {
  const name = user ?? /\(@([\w.]{1,50})\)/.exec(title.slice(0, 300))?.[1] ?? null;
  if (name === null) return null;
  if (service.type === "INSTAGRAM") return `https://www.instagram.com/${name}/`;
  return service.type === "THREADS" ? `https://www.threads.com/@${name}` : null;
}
