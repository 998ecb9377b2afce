import type { ContentSource } from "../sources/run-sources.ts";
import type { SiteReader } from "../sources/site-reader.ts";
import { fetchMetaOembed } from "./oembed.ts";
import { readMetaPage } from "./page.ts";
import type { MetaService } from "./service.ts";

/** Creates the readers of a Meta service; `fallbacks` are tried last. */
export function createMetaReaders(service: MetaService, fallbacks: readonly ContentSource[] = []): readonly SiteReader[] {
  const sources: readonly ContentSource[] = [
    { name: "oEmbed", setting: "META_TOKEN", run: (context) => fetchMetaOembed(context, service) },
    { name: "page", run: (context) => readMetaPage(context, service) },
    ...fallbacks,
  ];
  return [
    {
      name: "video",
      subtypes: ["REEL", "VIDEO"],
      missing: {
        code: "no_transcript",
        message: `${service.name} has no transcript of this video; only its caption was kept. Paste its text by hand.`,
      },
      sources,
    },
    {
      name: "post",
      subtypes: ["POST", "PHOTO"],
      missing: { code: "truncated", message: `${service.name} shows only part of this post here. Paste the rest by hand.` },
      sources,
    },
    {
      name: "profile",
      missing: {
        code: "login_wall",
        message: `${service.name} shows the whole page only to people who are logged in. Paste the text you need by hand.`,
      },
      sources,
    },
  ];
}
