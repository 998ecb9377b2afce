import { type Asset, composeDocument } from "./asset.ts";

/** One issue of a newsletter. */
export const newsletter: Asset = {
  name: "a newsletter",
  brief: `Write one issue of a newsletter of 350 to 600 words unless a length is asked for. The title is the subject line: at most 50 characters, concrete, no capitals for effect.
Sections, in this order: "Preview" (the line shown beside the subject: at most 90 characters that add to it), "Opening" (two or three sentences, to one reader, that say why this matters this week), then three to five sections, each one item under a headline of its own (what happened or what is true in one sentence, then why the reader should care in one or two), last "One thing to do" (a single step, in one sentence).
A reader who only reads the headlines has understood the issue. Warm and plain, first person plural at most, no exclamation marks.`,
  maxSections: 10,
  maxTextLength: 3_000,
  outline: { opening: "Opening", point: null, points: 5, quotes: 2, maxQuoteLength: 400 },
  compose: (title, sections) => `Subject: ${title}\n\n${composeDocument(title, sections)}`,
};
