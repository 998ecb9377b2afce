import type { ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchText } from "../../../extract/fetch/request.ts";
import { simplifyMarkdown } from "../../../extract/markdown.ts";
import { fetchCleanPage } from "../../../extract/fetch/clean-page.ts";
import { goneError, splitPath, SERVICE } from "./api.ts";
import { decodeSafely } from "../../../extract/fetch/urls.ts";

/** The Markdown source of a wiki page. */
const wikiSource: ContentSource = {
  name: "wiki file",
  run: async (context) => {
    const [owner, name, , page = "Home"] = splitPath(context.url);
    const url = `https://raw.githubusercontent.com/wiki/${owner}/${name}/${page}.md`;
    const { text } = await fetchText(context, { service: SERVICE, url });
    const title = decodeSafely(page.replaceAll("-", " "));
    return { title, text: simplifyMarkdown(text), metadata: { siteName: SERVICE, author: owner ?? "" }, isComplete: true };
  },
};

const page: ContentSource = {
  name: "page",
  run: (context) =>
    fetchCleanPage(context, {
      service: SERVICE,
      url: context.url,
      mapError: (status) => (status === 404 ? goneError("This page") : null),
    }),
};

const THIN = { code: "thin_content", message: "Only a part of this page could be read. Open it and paste the text you need." };

export const wikiReader: SiteReader = { name: "wiki", subtypes: ["WIKI"], missing: THIN, sources: [wikiSource, page] };

/** Discussions, people and organisations. */
export const pageReader: SiteReader = { name: "page", missing: THIN, sources: [page] };
