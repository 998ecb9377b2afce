import { htmlToText } from "../../../read/markup/html-text.ts";
import { omitEmpty } from "../../../read/json-access.ts";
import type { ExtractContext } from "../../../extract/extractor.ts";
import type { PartialResult, ContentSource } from "../../../extract/sources/run-sources.ts";
import { fetchPage } from "../../../extract/fetch/request.ts";
import { loginWallError } from "../../../extract/sources/errors.ts";
import { encodePathPart, buildTitle } from "../../../extract/posts/post-text.ts";
import { INSTAGRAM, isVideo } from "../../../extract/meta/service.ts";

const MAX_CHARACTERS = 100_000;

/** Returns the HTML after the tag that contains `mark`, up to the first of `ends`; null if the mark is missing. */
function sliceBetween(html: string, mark: string, ends: readonly string[]): string | null {
  const index = html.indexOf(mark);
  const start = index < 0 ? -1 : html.indexOf(">", index);
  if (start < 0) return null;
  const part = html.slice(start + 1, start + MAX_CHARACTERS);
  const end = Math.min(...ends.map((one) => part.indexOf(one)).filter((found) => found >= 0), part.length);
  return part.slice(0, end);
}

/** Fetches the embeddable post with its caption, which is public even if the page requires a login. */
async function fetchCaptionedEmbed(context: ExtractContext): Promise<PartialResult | null> {
  const { kind, url } = context;
  // The token of a share link is not a post's id.
  if (!/^(?:POST|REEL|VIDEO)$/.test(kind.subtype ?? "") || url.pathname.startsWith("/share/")) return null;
  const { text: html } = await fetchPage(context, {
    service: INSTAGRAM.name,
    url: `https://www.instagram.com/p/${encodePathPart(kind.id ?? "")}/embed/captioned/`,
    acceptLanguage: "en",
  });
  const caption = sliceBetween(html, 'class="Caption"', ['<div class="CaptionComments"', "</div>"]);
  const user =
    htmlToText(sliceBetween(html, 'class="UsernameText"', ["<"]) ?? sliceBetween(html, 'class="CaptionUsername"', ["</a>"]) ?? "") || null;
  if (caption === null) throw loginWallError(INSTAGRAM.name);
  const named = caption.indexOf('class="CaptionUsername"');
  const text = htmlToText(named < 0 ? caption : caption.slice(caption.indexOf("</a>", named) + 4));
  return {
    title: buildTitle(user, INSTAGRAM.name, text),
    text,
    metadata: omitEmpty({
      author: user,
      authorUrl: user !== null && /^[\w.]{1,50}$/.test(user) ? `https://www.instagram.com/${user}/` : null,
      siteName: INSTAGRAM.name,
    }),
    isComplete: text !== "" && !isVideo(kind.subtype),
  };
}

export const captionedEmbed: ContentSource = {
  name: "embed",
  run: async (context, partial) => (partial.text ? null : fetchCaptionedEmbed(context)),
};
