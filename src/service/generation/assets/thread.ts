import { type Asset } from "./asset.ts";

/** Maximum length of one post on X and on most similar networks. */
const MAX_POST_LENGTH = 280;
/** Characters reserved for the number before each post. */
const NUMBERING_LENGTH = 7;

/** A thread of short posts. */
export const thread: Asset = {
  name: "a thread",
  brief: `Write a thread of 5 to 9 posts unless a length is asked for. Each section is one post; its heading is empty, and its text has at most ${MAX_POST_LENGTH - NUMBERING_LENGTH} characters, counted with blanks: split rather than squeeze. Do not number the posts.
The first post is the hook and stands alone: the most striking claim of the sources, and what the reader gets from the rest. Each following post makes one point that can be understood, and shared, on its own: a fact, a figure, a step, an example. The one before the last draws the conclusion. The last says in one sentence what to do or to watch.
No hashtags, no emoji, no "a thread". Line breaks inside a post are fine.
The title is a working title that is not published; at most 80 characters.`,
  maxSections: 15,
  maxTextLength: MAX_POST_LENGTH - NUMBERING_LENGTH,
  outline: { opening: null, point: null, points: 8, quotes: 1, maxQuoteLength: MAX_POST_LENGTH - NUMBERING_LENGTH },
  compose: (_title, sections) => sections.map(({ text }, at) => `${at + 1}/${sections.length} ${text}`).join("\n\n"),
};
