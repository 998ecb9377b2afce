import type { TileWarning } from "#domain/content/tile.ts";
import type { Extractor } from "../extractor.ts";
import { runSources, type Source } from "../sources/run-sources.ts";
import { fetchCaptionedEmbed } from "../../sites/social/instagram/embed.ts";
import { fetchMetaOembed } from "./oembed.ts";
import { readPage } from "./page.ts";
import { FACEBOOK, INSTAGRAM, isMoving, type Service, THREADS } from "./service.ts";

const captioned: Source = {
  name: "embed",
  run: async (context, partial) => (partial.text ? null : fetchCaptionedEmbed(context)),
};

const sourcesOf = (service: Service): readonly Source[] => [
  { name: "oEmbed", run: (context) => fetchMetaOembed(context, service) },
  { name: "page", run: (context) => readPage(context, service) },
  ...(service === INSTAGRAM ? [captioned] : []),
];

/** What is missing where nothing whole was had: of a video its speech, of a post its end, of anything else what members see. */
function missingOf(service: Service, subtype: string | undefined): TileWarning {
  if (isMoving(subtype))
    return {
      code: "no_transcript",
      message: `What is said in this video could not be had from ${service.name}; only its caption. Paste its words by hand.`,
    };
  if (subtype === "POST" || subtype === "PHOTO")
    return { code: "truncated", message: `${service.name} shows only part of this post here. Paste the rest by hand.` };
  return {
    code: "login_wall",
    message: `${service.name} shows the whole page only to people who are logged in. Paste the text you need by hand.`,
  };
}

const extractorOf = (service: Service): Extractor => {
  const sources = sourcesOf(service);
  return {
    name: service.name.toLowerCase(),
    accepts: ({ type, id }) => type === service.type && id !== undefined,
    extract: (context) => runSources({ missing: missingOf(service, context.kind.subtype), sources })(context),
  };
};

/** Posts, reels, stories and accounts on Instagram. */
export const instagram: Extractor = extractorOf(INSTAGRAM);
/** Posts, photos, videos, reels, events and pages on Facebook. */
export const facebook: Extractor = extractorOf(FACEBOOK);
/** Posts and accounts on Threads. */
export const threads: Extractor = extractorOf(THREADS);
