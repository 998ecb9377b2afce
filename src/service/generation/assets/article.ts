import { type Asset, composeDocument } from "./asset.ts";

/** A written article. */
export const article: Asset = {
  name: "an article",
  brief: `Write an article. Length: 700 to 1,200 words, unless another length is requested.
Sections: first an introduction with an empty heading (what is at stake and for whom, and the answer in one sentence; 60 to 120 words), then three to six sections with headings that state their point ("Kelp grows half a metre a day", not "Growth"), and last a section whose heading names the consequence (what follows from the article; not a summary).
Each section has 100 to 250 words: a claim in its first sentence, the evidence from the sources, and what it means. Say where sources disagree. Paragraphs have two to four sentences and are separated by empty lines. Use lists only for enumerations. Use active verbs and concrete nouns. Avoid "delve", "landscape" and several rhetorical questions in a row.
The title has at most 80 characters and contains the claim of the article.`,
  maxSections: 12,
  maxTextLength: 8_000,
  outline: { opening: "In short", point: null, points: 6, quotes: 4, maxQuoteLength: 400 },
  compose: composeDocument,
};
