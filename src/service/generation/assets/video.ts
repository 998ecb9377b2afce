import { type Asset, composeDocument } from "./asset.ts";

/** The script of a video of several minutes. */
export const video: Asset = {
  name: "a video",
  brief: `Write the script of a video of 5 to 10 minutes: 700 to 1,400 spoken words, unless another length is requested.
Sections, in this order: "Hook" (the first 15 seconds: the most surprising fact, or the question that the video answers; no greeting), "Promise" (one or two sentences: what the viewer will know at the end, and why it matters), then three to six sections that each make one point under its own heading, and last "Close" (what to remember in two sentences, then one action to take).
Each point consists of a claim, the proof from the sources, an example or consequence, and a sentence that leads to the next point. Write for listeners: short sentences with one thought each, and "you" instead of "one". Describe what the viewer sees in brackets on a separate line, such as [On screen: the two figures side by side], once or twice per section.
The title has at most 70 characters and promises only what the video delivers.`,
  maxSections: 12,
  maxTextLength: 6_000,
  outline: { opening: "Hook", point: null, points: 5, quotes: 3, maxQuoteLength: 400 },
  compose: composeDocument,
};
