import { toIsoDate } from "../../../clean/dates.ts";
import { getValue, omitEmpty, getArray, getString } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult } from "../../../extract/sources/run-sources.ts";
import { fetchJson } from "../../../extract/fetch/request.ts";
import { notFound, sourceChanged } from "../../../extract/sources/errors.ts";
import { joinParagraphs, buildTitle } from "../../../extract/posts/post-text.ts";
import { formatItems, mapError, SERVICE, textOfHtml } from "./status.ts";

const ACCEPT = 'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"';
const TYPES = /^(?:Note|Article|Question|Page|Image|Video|Audio|Event)$/;

/** The first of what may be a value, an object with an id, or a list of either. */
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);
const getUrl = (value: unknown): string | null => {
  const first = firstOf(value);
  const address = typeof first === "string" ? first : (getString(first, "href") ?? getString(first, "url") ?? getString(first, "id"));
  return address !== null && /^https?:\/\//.test(address) ? address : null;
};

const handleOf = (actor: string | null): string | null => /\/@?([\w.-]{1,100})\/?$/.exec(actor ?? "")?.[1] ?? null;

/** The author's name, fetched from the same server only; otherwise taken from the account's address. */
async function authorOf(context: ExtractContext, actor: string | null): Promise<{ name: string | null; url: string | null }> {
  if (actor === null || URL.parse(actor)?.host !== context.url.host) return { name: handleOf(actor), url: actor };
  const response = await fetchJson(context, { service: SERVICE, url: actor, accept: ACCEPT }).catch(() => null);
  return {
    name: getString(response, "name") ?? getString(response, "preferredUsername") ?? handleOf(actor),
    url: getUrl(getValue(response, "url")) ?? actor,
  };
}

/** A post as servers exchange it: an ActivityStreams 2 object, alone or inside the activity that created it. */
export async function fetchActivity(context: ExtractContext): Promise<PartialResult> {
  const response = await fetchJson(context, { service: "This server", url: context.url, accept: ACCEPT, mapError });
  const note = TYPES.test(getString(response, "type") ?? "") ? response : getValue(response, "object");
  const type = getString(note, "type") ?? "";
  if (type === "Tombstone" || getString(response, "type") === "Tombstone") throw notFound("This post");
  const languages = Object.entries((getValue(note, "contentMap") ?? {}) as object).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const content = getString(note, "content") ?? languages[0]?.[1] ?? null;
  if (!TYPES.test(type) || (content === null && getString(note, "name") === null)) throw sourceChanged("This server");
  const { name: author, url: authorUrl } = await authorOf(context, getUrl(getValue(note, "attributedTo")));
  const options = [...getArray(note, "oneOf"), ...getArray(note, "anyOf")].slice(0, 50);
  const attached = getValue(note, "attachment");
  const media = Array.isArray(attached) ? (attached as unknown[]) : [attached];
  const words = joinParagraphs([
    getString(note, "summary") === null ? null : textOfHtml(getString(note, "summary")),
    textOfHtml(content),
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
      thumbnailUrl: getUrl(getValue(note, "image")),
      language: languages.length === 1 ? languages[0]?.[0] : null,
      canonicalUrl: getUrl(getValue(note, "url")) ?? getUrl(getValue(note, "id")),
    }),
    isComplete: true,
  };
}
