import { type Asset, composeDocument } from "./asset.ts";

/** A podcast episode, as speaker notes. */
export const podcast: Asset = {
  name: "a podcast episode",
  brief: `Write the running order of a podcast episode of 20 to 30 minutes, for one host and possibly a guest, unless a length is asked for.
Sections, in this order: "Cold open" (30 seconds to be read aloud: a scene, a figure or a quotation of the sources that makes one stay), "Introduction" (what the episode answers and for whom, to be read aloud in three sentences), then three to five segments under headings of their own, last "Outro" (the one thing to remember, to be read aloud, and the question for the next episode).
Each segment has: one sentence to begin with, written out; three to five talking points as lines that begin with "- ", each with its fact; one question to ask a guest, on a line that begins with "Ask: "; a sentence that leads on.
Spoken language; say figures the way people say them.
The title has at most 70 characters.`,
  maxSections: 10,
  maxTextLength: 4_000,
  outline: { opening: "Cold open", point: null, points: 4, quotes: 4, maxQuoteLength: 400 },
  compose: composeDocument,
};
