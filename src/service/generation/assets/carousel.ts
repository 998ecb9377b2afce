import { type Asset } from "./asset.ts";

/** Slides for a swipeable carousel. */
export const carousel: Asset = {
  name: "a carousel",
  brief: `Write a carousel of 6 to 10 slides, unless another length is requested. Each section is one slide: its heading is the headline of the slide (at most 8 words), and its text has at most 200 characters.
The first slide is the cover: the headline promises one result, and the text says for whom. The second slide shows the problem or what is at stake. Each of the following slides makes one point: the headline states it, and the text proves it with a fact from the sources. The slide before the last one sums up in one line. The last slide asks for one action: save, try or reply.
Each slide makes sense on its own and makes people swipe to the next one. Headlines have the same grammatical form. Headline and text do not repeat each other. No hashtags.
The title is a working title that is not published. It has at most 80 characters.`,
  maxSections: 12,
  maxTextLength: 300,
  outline: { opening: "Cover", point: null, points: 7, quotes: 1, maxQuoteLength: 220 },
  compose: (_title, sections) =>
    sections.map(({ heading, text }, at) => `## Slide ${at + 1}${heading === "" ? "" : `: ${heading}`}\n\n${text}`).join("\n\n"),
};
