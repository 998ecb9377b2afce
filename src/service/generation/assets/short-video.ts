import { type Asset, composeDocument } from "./asset.ts";

/** The script of a vertical video under one minute, in beats. */
export const shortVideo: Asset = {
  name: "a short video",
  brief: `Write the script of a vertical short video of 30 to 60 seconds: 75 to 150 spoken words in all unless a length is asked for.
Sections, in this order: "Hook" (the first 2 seconds: at most 12 words that stop the thumb: a figure, a contradiction, a mistake people make), three or four sections "Beat 1", "Beat 2" … (one fact each, at most 30 words, each raising a question that the next one answers), "Loop" (one sentence that pays off the hook and leads back to it; no goodbye).
After the spoken words of each section put the words to be shown on the screen in brackets, at most 6 of them. One idea in the whole video. Spoken language, present tense, no clause within a clause.
The title has at most 60 characters.`,
  maxSections: 7,
  maxTextLength: 600,
  outline: { opening: "Hook", point: (number) => `Beat ${number}`, points: 4, quotes: 1, maxQuoteLength: 200 },
  compose: composeDocument,
};
