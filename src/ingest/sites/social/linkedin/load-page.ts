import type { IngestError } from "#domain/content/job.ts";
import { omitEmpty } from "../../../read/json-access.ts";
import { htmlToText } from "../../../read/markup/html-text.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import { resultFromHead } from "../../../extract/fetch/page-head.ts";
import { fetchPage } from "../../../extract/fetch/request.ts";
import { loginWallError } from "../../../extract/sources/errors.ts";
import { SERVICE } from "./linked-data.ts";

/** LinkedIn responds to suspected bots with its own status 999. */
const mapError = (status: number): IngestError | null =>
  status === 999 || status === 401 || status === 403 ? loginWallError(SERVICE) : null;

const COMMENTARY = ["main-feed-activity-card__commentary", "attributed-text-segment-list__content"];
export const MAX_CHARACTERS = 200_000;

/** Returns the text of the first element whose tag contains `mark`, such as a class name; null if there is none. */
export function findElementText(html: string, mark: string): string | null {
  const index = html.indexOf(mark);
  const start = index < 0 ? -1 : html.lastIndexOf("<", index);
  const name = start < 0 ? null : (/^<([a-z]{1,20})\b/i.exec(html.slice(start, start + 24))?.[1] ?? null);
  const open = html.indexOf(">", index);
  if (name === null || open < 0) return null;
  const end = html.indexOf(`</${name}`, open);
  const inner = html.slice(open + 1, Math.min(end < 0 ? html.length : end, open + MAX_CHARACTERS));
  // Line breaks in the source count unless there are `br` tags.
  return htmlToText(/<br\b/i.test(inner) ? inner : inner.trim().replaceAll("\n", "<br>")) || null;
}

export const findCommentary = (html: string): string | null =>
  COMMENTARY.map((mark) => findElementText(html, mark)).find((words) => words !== null) ?? null;

export type LoadedPage = {
  readonly html: string;
  readonly head: Awaited<ReturnType<ExtractContext["reader"]["head"]>>;
  readonly address: string;
};

export async function loadPage(context: ExtractContext, url: string | URL): Promise<LoadedPage> {
  const { text, resource } = await fetchPage(context, { service: SERVICE, url, acceptLanguage: "en", mapError });
  // A sign-up page replaces members-only content.
  if (/\/(?:signup|authwall|checkpoint)(?:[/?]|$)/.test(new URL(resource.url).pathname)) throw loginWallError(SERVICE);
  const head = await context.reader.head({ html: text, url: resource.url }, context.signal);
  return { html: text, head, address: resource.url };
}

/** Reads the head's tags; throws for those of a login page. */
export function resultFromTags(loaded: LoadedPage): PartialResult {
  const { meta } = loaded.head;
  const title = meta["og:title"] ?? "";
  if (
    (title === "" && !meta["og:description"]) ||
    /^(?:(?:sign up|log ?in|sign in|join linkedin)(?:$|,| [|•-]| or | to )|linkedin(?:: log in or sign up| login.*)?$)/i.test(title)
  )
    throw loginWallError(SERVICE);
  return readTags(loaded);
}

/** Reads the head's tags, with the author from the title. */
export function readTags({ head, address }: LoadedPage): PartialResult {
  const title = head.meta["og:title"] ?? "";
  const found = resultFromHead(head, address);
  const author = /^(.{1,200}?) on LinkedIn(?::|$)/.exec(head.title ?? "")?.[1] ?? /\| ([^|]{1,200})$/.exec(title)?.[1]?.trim() ?? null;
  return { ...found, metadata: { ...found.metadata, ...omitEmpty({ siteName: SERVICE, author: author === SERVICE ? null : author }) } };
}
