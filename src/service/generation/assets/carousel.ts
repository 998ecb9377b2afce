import { type Asset } from "./asset.ts";

/** Slides for a swipeable carousel. */
export const carousel: Asset = {
  name: "a carousel",
  brief: `Write a carousel of 6 to 10 slides unless a length is asked for. Each section is one slide: its heading is the slide's headline (at most 8 words), its text at most 200 characters.
The first slide is the cover: the headline promises one outcome, the text says for whom. The second shows the problem or the stake. Each of the middle slides makes one point: the headline states it, the text proves it with a fact of the sources. The slide before the last sums up in one line. The last asks for one thing: save, try, answer.
Each slide makes sense alone and makes one swipe further. Parallel headlines, no full sentences in both headline and text that say the same, no hashtags.
The title is a working title that is not published; at most 80 characters.`,
  maxSections: 12,
  maxTextLength: 300,
  outline: { opening: "Cover", point: null, points: 7, quotes: 1, maxQuoteLength: 220 },
  compose: (_title, sections) =>
    sections.map(({ heading, text }, at) => `## Slide ${at + 1}${heading === "" ? "" : `: ${heading}`}\n\n${text}`).join("\n\n"),
};
