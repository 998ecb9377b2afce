import { IngestError } from "#domain/content/job.ts";
import { toIsoDate } from "../../../clean/dates.ts";
import { htmlToText } from "../../../read/markup/html-text.ts";
import { omitEmpty } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchOembed } from "../../../extract/fetch/oembed.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { privateError, loginWallError, notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { isTruncatedText, buildTitle } from "../../../extract/posts/post-text.ts";
import { fetchFxPost, fetchFxProfile } from "./fxtwitter.ts";
import { buildPostAddress, fetchSyndication, toLanguage, SERVICE } from "./syndication.ts";

/** Returns the post's address with the name from the link. X redirects if the name is wrong. */
const getPostAddress = ({ url, kind }: ExtractContext): string =>
  buildPostAddress(/^\/(\w{1,15})\/(?:status(?:es)?|article)\//.exec(url.pathname)?.[1] ?? null, kind.id ?? "");

const syndication: ContentSource = {
  name: "syndication",
  run: async (context) => {
    const found = await fetchSyndication(context);
    if (found.isComplete || !context.settings.fxTwitter) return found;
    try {
      return await fetchFxPost(context);
    } catch (error) {
      // The start of a long post is better than nothing.
      if (error instanceof IngestError) return found;
      throw error;
    }
  },
};

const fxTwitter: ContentSource = {
  name: "FxTwitter",
  setting: "FXTWITTER",
  run: async (context, partial) => (context.settings.fxTwitter && !partial.text ? fetchFxPost(context) : null),
};

/** Reads the text of an embed's HTML, its language and its date. */
function readEmbed(html: string): { text: string; language: string | null; date: string | null } {
  const start = html.indexOf("<p");
  const end = html.indexOf("</p>", start);
  const inner = start < 0 || end < 0 ? "" : html.slice(start, end);
  const tail = end < 0 ? "" : htmlToText(html.slice(end, end + 2_000));
  return {
    text: htmlToText(inner)
      .replace(/\s?pic\.(?:twitter|x)\.com\/\w+/g, "")
      .trim(),
    language: /^<p\b[^>]{0,200}?\blang="([\w-]{2,12})"/.exec(inner)?.[1] ?? null,
    date: /\w{3,9} \d{1,2}, \d{4}\s*$/.exec(tail)?.[0] ?? null,
  };
}

const oembed: ContentSource = {
  name: "oEmbed",
  run: async (context, partial) => {
    if (partial.text) return null;
    const { html, metadata } = await fetchOembed(
      context,
      {
        service: SERVICE,
        endpoint: "https://publish.x.com/oembed?omit_script=1",
        mapError: (status) => (status === 404 ? notFoundError("This post") : status === 403 ? privateError("This post") : null),
      },
      getPostAddress(context),
    );
    const { text, language, date } = readEmbed((html ?? "").slice(0, 200_000));
    if (text === "" && !metadata?.author) throw sourceChangedError(SERVICE);
    return {
      title: buildTitle(metadata?.author ?? null, SERVICE, text),
      text,
      metadata: {
        ...metadata,
        ...omitEmpty({
          siteName: SERVICE,
          language: toLanguage(language),
          publishedAt: toIsoDate(date),
          canonicalUrl: getPostAddress(context),
        }),
      },
      isComplete: text !== "" && !isTruncatedText(text) && !text.includes("https://t.co/"),
    };
  },
};

/** A post or article: its text, picture descriptions and the post that it quotes. */
export const postReader: SiteReader = {
  name: "post",
  subtypes: ["POST", "ARTICLE"],
  missing: {
    code: "truncated",
    message:
      "Only part of this post could be read. Paste the rest by hand, or ask the operator to enable FxTwitter, which has long posts in full.",
  },
  sources: [syndication, fxTwitter, oembed],
};

const fxProfile: ContentSource = {
  name: "FxTwitter",
  setting: "FXTWITTER",
  run: async (context) => (context.settings.fxTwitter && context.kind.subtype === "PROFILE" ? fetchFxProfile(context) : null),
};

const page: ContentSource = {
  name: "page",
  run: async (context) => {
    const { head, resource } = await fetchHead(context, { service: SERVICE, url: context.url });
    const { meta } = head;
    if (!meta["og:title"] && !meta["og:description"]) throw loginWallError(SERVICE);
    return resultFromHead(head, resource.url);
  },
};

/** Reads accounts, lists and spaces, which X shows to logged-in users only: the metadata in the page's head. */
export const profileReader: SiteReader = {
  name: "profile",
  missing: { code: "login_wall", message: "X shows this only to people who are logged in. Paste the text you need by hand." },
  sources: [fxProfile, page],
};
