import { type Asset, composeDocument } from "./asset.ts";

/** A podcast episode, as speaker notes. */
export const podcastEpisode: Asset = {
  name: "a podcast episode",
  brief: `Write the running order of a podcast episode for one host and, optionally, a guest. Length: 20 to 30 minutes, unless another length is requested.
Sections, in this order: "Cold open" (30 seconds to be read aloud: a scene, a figure or a quotation from the sources that makes people keep listening), "Introduction" (three sentences to be read aloud: what the episode answers and for whom), then three to five segments under their own headings, and last "Outro" (to be read aloud: the one thing to remember, and the question for the next episode).
Each segment has an opening sentence, written out; three to five talking points as lines that begin with "- ", each with its fact; one question for a guest, on a line that begins with "Ask: "; and a sentence that leads to the next segment.
Use spoken language, and say figures the way people say them.
The title has at most 70 characters.`,
  maxSections: 10,
  maxTextLength: 4_000,
  outline: { opening: "Cold open", point: null, points: 4, quotes: 4, maxQuoteLength: 400 },
  compose: composeDocument,
};
