import { toIsoDate } from "../../../clean/dates.ts";
import { getValue, omitEmpty, getArray, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { joinParagraphs, buildTitle } from "../../../extract/posts/post-text.ts";
import { formatItems, mapError, SERVICE, postHtmlToText } from "./status.ts";

const ACCEPT = 'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"';
const TYPES = /^(?:Note|Article|Question|Page|Image|Video|Audio|Event)$/;

/** Returns the first item of a list, or the value itself. */
const getFirst = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);
/** Returns the http or https URL of a value, an object with `href`, `url` or `id`, or the first item of a list. */
const getFirstUrl = (value: unknown): string | null => {
  const first = getFirst(value);
  const address = typeof first === "string" ? first : (getString(first, "href") ?? getString(first, "url") ?? getString(first, "id"));
  return address !== null && /^https?:\/\//.test(address) ? address : null;
};

const parseHandle = (actor: string | null): string | null => /\/@?([\w.-]{1,100})\/?$/.exec(actor ?? "")?.[1] ?? null;

/** Fetches the author's name if the account is on the same server. Otherwise the name is taken from the account's address. */
async function fetchAuthor(context: ExtractContext, actor: string | null): Promise<{ name: string | null; url: string | null }> {
  if (actor === null || URL.parse(actor)?.host !== context.url.host) return { name: parseHandle(actor), url: actor };
  const response = await fetchJson(context, { service: SERVICE, url: actor, accept: ACCEPT }).catch(() => null);
  return {
    name: getString(response, "name") ?? getString(response, "preferredUsername") ?? parseHandle(actor),
    url: getFirstUrl(getValue(response, "url")) ?? actor,
  };
}

/** Fetches a post by ActivityPub: an ActivityStreams 2 object, alone or inside the activity that created it. */
export async function fetchActivity(context: ExtractContext): Promise<PartialResult> {
  const response = await fetchJson(context, { service: "This server", url: context.url, accept: ACCEPT, mapError });
  const note = TYPES.test(getString(response, "type") ?? "") ? response : getValue(response, "object");
  const type = getString(note, "type") ?? "";
  if (type === "Tombstone" || getString(response, "type") === "Tombstone") throw notFoundError("This post");
  const languages = Object.entries((getValue(note, "contentMap") ?? {}) as object).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const content = getString(note, "content") ?? languages[0]?.[1] ?? null;
  if (!TYPES.test(type) || (content === null && getString(note, "name") === null)) throw sourceChangedError("This server");
  const { name: author, url: authorUrl } = await fetchAuthor(context, getFirstUrl(getValue(note, "attributedTo")));
  const options = [...getArray(note, "oneOf"), ...getArray(note, "anyOf")].slice(0, 50);
  const attached = getValue(note, "attachment");
  const media = Array.isArray(attached) ? (attached as unknown[]) : [attached];
  const words = joinParagraphs([
    getString(note, "summary") === null ? null : postHtmlToText(getString(note, "summary")),
    postHtmlToText(content),
    formatItems(options.map((option) => getString(option, "name"))),
    ...media.slice(0, 20).map((one) => getString(one, "name")),
  ]);
  return {
    title: getString(note, "name") ?? buildTitle(author, SERVICE, words),
    text: words,
    metadata: omitEmpty({
      author,
      authorUrl,
      siteName: SERVICE,
      publishedAt: toIsoDate(getString(note, "published")),
      thumbnailUrl: getFirstUrl(getValue(note, "image")),
      language: languages.length === 1 ? languages[0]?.[0] : null,
      canonicalUrl: getFirstUrl(getValue(note, "url")) ?? getFirstUrl(getValue(note, "id")),
    }),
    isComplete: true,
  };
}
