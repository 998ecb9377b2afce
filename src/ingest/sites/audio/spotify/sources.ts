import type { ExtractContext } from "../../../extract/extractor.ts";
import type { ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { parseScriptJson } from "../../../extract/fetch/embedded-json.ts";
import { fetchOembed } from "../../../extract/fetch/oembed.ts";
import { fetchHead } from "../../../extract/fetch/page-head.ts";
import { fetchPage } from "../../../extract/fetch/request.ts";
import { notFoundError, sourceChangedError } from "../../../extract/sources/errors.ts";
import { publicFeed } from "./public-feed.ts";
import { resultFromEmbed, resultFromPage, ORIGIN, SERVICE } from "./page.ts";

/** Subtypes with speech, whose pages describe it, and subtypes that are lists of titles. */
const SPOKEN: ReadonlySet<string> = new Set(["EPISODE", "SHOW", "AUDIOBOOK"]);
const LISTS: ReadonlySet<string> = new Set(["ALBUM", "PLAYLIST", "ARTIST"]);

const getSubtype = ({ kind }: ExtractContext): string => kind.subtype ?? "";
const buildPath = (context: ExtractContext): string => `${getSubtype(context).toLowerCase()}/${context.kind.id ?? ""}`;

const oembed: ContentSource = {
  name: "oEmbed",
  run: async (context) => {
    const { html: _html, ...found } = await fetchOembed(
      context,
      {
        service: SERVICE,
        endpoint: `${ORIGIN}/oembed`,
        mapError: (status) => (status === 404 || status === 400 ? notFoundError(`This ${getSubtype(context).toLowerCase()}`) : null),
      },
      `${ORIGIN}/${buildPath(context)}`,
    );
    return { ...found, metadata: { ...found.metadata, canonicalUrl: `${ORIGIN}/${buildPath(context)}` } };
  },
};

const embed: ContentSource = {
  name: "embedded player",
  run: async (context) => {
    const { text } = await fetchPage(context, { service: SERVICE, url: `${ORIGIN}/embed/${buildPath(context)}`, acceptLanguage: "en" });
    const found = resultFromEmbed(parseScriptJson(text, "__NEXT_DATA__"), getSubtype(context));
    if (found === null) throw sourceChangedError(SERVICE);
    return { ...found, isComplete: LISTS.has(getSubtype(context)) && Boolean(found.text) };
  },
};

const page: ContentSource = {
  name: "page",
  run: async (context) => {
    const { head, resource } = await fetchHead(context, { service: SERVICE, url: `${ORIGIN}/${buildPath(context)}`, acceptLanguage: "en" });
    return resultFromPage(head, resource.url, SPOKEN.has(getSubtype(context)));
  },
};

const sources = [oembed, embed, page, publicFeed];

/** Reads the content that Spotify shows without an account. */
export const readers: readonly SiteReader[] = [
  {
    name: "spoken word",
    subtypes: [...SPOKEN],
    missing: {
      code: "no_transcript",
      message: "Spotify has no public transcripts; only the description was kept. Paste a transcript, or add the show's own feed or page.",
    },
    sources,
  },
  {
    name: "list",
    subtypes: [...LISTS],
    missing: { code: "truncated", message: "The list of titles could not be read. Retry later, or paste it." },
    sources,
  },
  {
    name: "track",
    missing: {
      code: "no_transcript",
      message: "Spotify has no public lyrics; only the title was kept. Paste the text you need.",
    },
    sources,
  },
];
