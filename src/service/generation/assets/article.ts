import { type Asset, composeDocument } from "./asset.ts";

/** A written article. */
export const article: Asset = {
  name: "an article",
  brief: `Write an article of 700 to 1,200 words unless a length is asked for.
Sections: first one with an empty heading, the introduction (what is at stake and for whom, the answer in one sentence, 60 to 120 words), then three to six sections under headings that say what they say ("Kelp grows half a metre a day", not "Growth"), last one under a heading that names the consequence (what follows from all this, no summary of what was said).
Each section is 100 to 250 words: a claim in its first sentence, the evidence of the sources, what it means. Name where sources differ. Paragraphs of two to four sentences, separated by empty lines; lists only for what is a list. Active verbs, concrete nouns, no "delve", no "landscape", no rhetorical questions in a row.
The title has at most 80 characters and holds the article's claim.`,
  maxSections: 12,
  maxTextLength: 8_000,
  outline: { opening: "In short", point: null, points: 6, quotes: 4, maxQuoteLength: 400 },
  compose: composeDocument,
};
