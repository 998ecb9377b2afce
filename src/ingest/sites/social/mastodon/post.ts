import { omitEmpty } from "../../../read/json-access.ts";
import type { Extractor } from "../../../extract/extractor.ts";
import { runSources, type Source } from "../../../extract/sources/run-sources.ts";
import { fetchHead, resultFromHead } from "../../../extract/fetch/page-head.ts";
import { sourceChanged } from "../../../extract/sources/errors.ts";
import { webPage } from "../../../formats/web-page.ts";
import { buildTitle } from "../../../extract/posts/post-text.ts";
import { fetchActivity } from "./activity.ts";
import { fetchStatus, SERVICE } from "./status.ts";

const status: Source = { name: "API", run: fetchStatus };
const activity: Source = { name: "ActivityPub", run: fetchActivity };

/** What only Mastodon's own pages hold. */
const OWN_PAGE = /<(?:div|meta|script)\b[^>]{0,200}(?:id=['"](?:mastodon|initial-state)['"]|content=['"]Mastodon)/;

/** The page's head. Any server may have an address of this form; one that is no Mastodon leads to the web page. */
const page: Source = {
  name: "page",
  run: async (context) => {
    const { head, text, resource } = await fetchHead(context, { service: "This server", url: context.url });
    if (/^\s*[{[]/.test(text)) throw sourceChanged("This server");
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

const extract = runSources({
  missing: { code: "truncated", message: "This server shows only the beginning of the post. Paste the rest by hand." },
  sources: [status, activity, page],
});

/** A post on any server of Mastodon's kind. */
export const mastodonPost: Extractor = {
  name: "mastodon-post",
  accepts: ({ type, id }) => type === "MASTODON" && id !== undefined,
  extract: async (context) => {
    const found = await extract(context);
    if (!("handOffTo" in found)) return found;
    // Told apart by what the server answered: by its address the page would be taken for a post again.
    const read = await webPage.extract({ ...context, kind: { type: "WEBSITE" }, isServed: () => false });
    if ("handOffTo" in read) return read;
    const { subtype: _, ...metadata } = read.metadata;
    return { ...read, type: "WEBSITE", metadata };
  },
};
