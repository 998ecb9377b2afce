import { type Asset, composeDocument } from "./asset.ts";

/** The script of a vertical video under one minute, in beats. */
export const shortVideo: Asset = {
  name: "a short video",
  brief: `Write the script of a vertical short video of 30 to 60 seconds: 75 to 150 spoken words in total, unless another length is requested.
Sections, in this order: "Hook" (the first 2 seconds: at most 12 words that make people stop scrolling: a figure, a contradiction, or a common mistake), three or four sections "Beat 1", "Beat 2" … (one fact each, at most 30 words, each raising a question that the next one answers), "Loop" (one sentence that resolves the hook and leads back to it; no goodbye).
After the spoken words of each section, put the text shown on the screen in brackets, at most 6 words. The whole video has one idea. Use spoken language, the present tense and simple clauses.
The title has at most 60 characters.`,
  maxSections: 7,
  maxTextLength: 600,
  outline: { opening: "Hook", point: (number) => `Beat ${number}`, points: 4, quotes: 1, maxQuoteLength: 200 },
  compose: composeDocument,
};
