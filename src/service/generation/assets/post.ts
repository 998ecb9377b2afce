import { type Asset, composePlain } from "./asset.ts";

/** One post for a professional or social network. */
export const post: Asset = {
  name: "a post",
  brief: `Write one post for a professional network. Length: 120 to 250 words, unless another length is requested, and never more than 3,000 characters.
Sections, in this order: "Hook" (one or two lines that make sense before the text is folded at 200 characters: a result, a contradiction, or a plain statement that most people get wrong), "Body" (three to five short paragraphs of one or two sentences, or a list of at most five lines that begin with "- "; each has a fact from the sources), "Takeaway" (one sentence that a reader can use today), "Question" (one sincere question that people can answer from experience).
Cover one idea. No hashtags, no emoji, no "In today's world". Use plain words, and separate paragraphs with empty lines.
The title is a working title that is not published. It has at most 80 characters.`,
  maxSections: 6,
  maxTextLength: 3_000,
  outline: { opening: null, point: null, points: 3, quotes: 1, maxQuoteLength: 400 },
  compose: composePlain,
};
