import { omitEmpty } from "../../../read/json-access.ts";
import type { ExtractContext, Extractor } from "../../../extract/extractor.ts";
import type { ContentSource } from "../../../extract/sources/run-sources.ts";
import type { SiteReader } from "../../../extract/sources/site-reader.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { sourceChangedError } from "../../../extract/sources/errors.ts";
import { webPage } from "../../../formats/web-page.ts";
import { buildTitle } from "../../../extract/posts/post-text.ts";
import { fetchActivity } from "./activity.ts";
import { fetchStatus, SERVICE } from "./status.ts";

const status: ContentSource = { name: "API", run: fetchStatus };
const activity: ContentSource = { name: "ActivityPub", run: fetchActivity };

/** Marks of Mastodon's own pages. */
const OWN_PAGE = /<(?:div|meta|script)\b[^>]{0,200}(?:id=['"](?:mastodon|initial-state)['"]|content=['"]Mastodon)/;

/** Reads the page's head. Other software may use addresses of the same form, whose pages are read as web pages. */
const page: ContentSource = {
  name: "page",
  run: async (context) => {
    const { head, text, resource } = await fetchHead(context, { service: "This server", url: context.url });
    if (/^\s*[{[]/.test(text)) throw sourceChangedError("This server");
    if (!OWN_PAGE.test(text.slice(0, 300_000))) return { handOffTo: context.url, kind: { type: "WEBSITE" } };
    const found = resultFromHead(head, resource.url);
    const author = head.meta["og:title"]?.replace(/ \(@[^()]{1,300}\)$/, "") ?? null;
    return {
      ...found,
      title: buildTitle(author, SERVICE, found.text ?? ""),
      metadata: { ...found.metadata, ...omitEmpty({ author, siteName: SERVICE }) },
    };
  },
};

/** Reads the page as a web page without detecting its kind, which would be a post again. */
async function readAsWebPage(context: ExtractContext): ReturnType<Extractor["extract"]> {
  const result = await webPage.extract({ ...context, kind: { type: "WEBSITE" }, isServed: () => false });
  if ("handOffTo" in result) return result;
  const { subtype: _, ...metadata } = result.metadata;
  return { ...result, type: "WEBSITE", metadata };
}

/** A post on any server that runs Mastodon or compatible software. */
export const postReader: SiteReader = {
  name: "post",
  missing: { code: "truncated", message: "This server shows only the beginning of the post. Paste the rest by hand." },
  sources: [status, activity, page],
  onHandOff: readAsWebPage,
};
