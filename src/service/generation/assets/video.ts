import { type Asset, composeDocument } from "./asset.ts";

/** The script of a video of several minutes. */
export const video: Asset = {
  name: "a video",
  brief: `Write the script of a video of 5 to 10 minutes (700 to 1,400 spoken words unless a length is asked for).
Sections, in this order: "Hook" (the first 15 seconds: the most surprising true thing, or the question that the video answers; no greeting), "Promise" (one or two sentences: what the viewer will know at the end, and why it matters), then three to six sections that each make one point under a heading of their own, and last "Close" (what to remember in two sentences, then one thing to do).
Each point goes: claim, proof from the sources, example or consequence, a sentence that leads to the next point. Write for the ear: short sentences, one thought each, "you" rather than "one". Put what is to be seen in brackets on a line of its own, such as [On screen: the two figures side by side], once or twice a section.
The title has at most 70 characters and promises what the video keeps.`,
  maxSections: 12,
  maxTextLength: 6_000,
  outline: { opening: "Hook", point: null, points: 5, quotes: 3, maxQuoteLength: 400 },
  compose: composeDocument,
};
