import { type Asset, composeDocument } from "./asset.ts";

/** One issue of a newsletter. */
export const newsletter: Asset = {
  name: "a newsletter",
  brief: `Write one issue of a newsletter. Length: 350 to 600 words, unless another length is requested. The title is the subject line: at most 50 characters, concrete, without capital letters for emphasis.
Sections, in this order: "Preview" (the line shown next to the subject: at most 90 characters that add to it), "Opening" (two or three sentences, addressed to one reader, that say why this matters this week), then three to five sections with one item each under its own headline (one sentence that says what happened or what is true, then one or two that say why the reader should care), and last "One thing to do" (one step, in one sentence).
A reader who reads only the headlines understands the issue. The tone is warm and plain. Use "we" if necessary, but not "I". No exclamation marks.`,
  maxSections: 10,
  maxTextLength: 3_000,
  outline: { opening: "Opening", point: null, points: 5, quotes: 2, maxQuoteLength: 400 },
  compose: (title, sections) => `Subject: ${title}\n\n${composeDocument(title, sections)}`,
};
