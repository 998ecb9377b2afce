import { type Asset, composePlain } from "./asset.ts";

/** One post for a professional or social network. */
export const post: Asset = {
  name: "a post",
  brief: `Write one post for a professional network: 120 to 250 words unless a length is asked for, never over 3,000 characters.
Sections, in this order: "Hook" (one or two lines that make sense before the fold at 200 characters: a result, a tension, a plain statement that most people get wrong), "Body" (three to five short paragraphs of one or two sentences, or a list of at most five lines that begin with "- "; each carries a fact of the sources), "Takeaway" (one sentence a reader can use today), "Question" (one honest question that people can answer from experience).
One idea. No hashtags, no emoji, no "In today's world". Plain words, blank lines between paragraphs.
The title is a working title that is not published; at most 80 characters.`,
  maxSections: 6,
  maxTextLength: 3_000,
  outline: { opening: null, point: null, points: 3, quotes: 1, maxQuoteLength: 400 },
  compose: composePlain,
};
