import type { ExtractContext } from "../../../extract/extractor.ts";
import type { Source } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { parseScriptJson } from "../../../extract/fetch/embedded-json.ts";
import { fetchOembed } from "../../../extract/fetch/oembed.ts";
import { fetchHead } from "../../../extract/fetch/page-head.ts";
import { fetchPage } from "../../../extract/fetch/request.ts";
import { notFound, sourceChanged } from "../../../extract/sources/errors.ts";
import { publicFeed } from "./public-feed.ts";
import { resultFromEmbed, resultFromPage, ORIGIN, SERVICE } from "./page.ts";

/** Subtypes with spoken words, and subtypes that are lists of titles. */
const WORDED: ReadonlySet<string> = new Set(["EPISODE", "SHOW", "AUDIOBOOK"]);
const LISTS: ReadonlySet<string> = new Set(["ALBUM", "PLAYLIST", "ARTIST"]);

const subtypeOf = ({ kind }: ExtractContext): string => kind.subtype ?? "";
const pathOf = (context: ExtractContext): string => `${subtypeOf(context).toLowerCase()}/${context.kind.id ?? ""}`;

const oembed: Source = {
  name: "oEmbed",
  run: async (context) => {
    const { html: _html, ...found } = await fetchOembed(
      context,
      {
        service: SERVICE,
        endpoint: `${ORIGIN}/oembed`,
        mapError: (status) => (status === 404 || status === 400 ? notFound(`This ${subtypeOf(context).toLowerCase()}`) : null),
      },
      `${ORIGIN}/${pathOf(context)}`,
    );
    return { ...found, metadata: { ...found.metadata, canonicalUrl: `${ORIGIN}/${pathOf(context)}` } };
  },
};

const embed: Source = {
  name: "embedded player",
  run: async (context) => {
    const { text } = await fetchPage(context, { service: SERVICE, url: `${ORIGIN}/embed/${pathOf(context)}`, acceptLanguage: "en" });
    const found = resultFromEmbed(parseScriptJson(text, "__NEXT_DATA__"), subtypeOf(context));
    if (found === null) throw sourceChanged(SERVICE);
    return { ...found, isComplete: LISTS.has(subtypeOf(context)) && Boolean(found.text) };
  },
};

const page: Source = {
  name: "page",
  run: async (context) => {
    const { head, resource } = await fetchHead(context, { service: SERVICE, url: `${ORIGIN}/${pathOf(context)}`, acceptLanguage: "en" });
    return resultFromPage(head, resource.url, WORDED.has(subtypeOf(context)));
  },
};

const sources = [oembed, embed, page, publicFeed];

/** What Spotify shows without an account. */
export const readers: readonly SiteReader[] = [
  {
    name: "spoken word",
    subtypes: [...WORDED],
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
