import { type Asset } from "./asset.ts";

/** Maximum length of one post on X and on most similar networks. */
const MAX_POST_LENGTH = 280;
/** Characters reserved for the number before each post. */
const NUMBERING_LENGTH = 7;

/** A thread of short posts. */
export const thread: Asset = {
  name: "a thread",
  brief: `Write a thread of 5 to 9 posts, unless another length is requested. Each section is one post. Its heading is empty, and its text has at most ${MAX_POST_LENGTH - NUMBERING_LENGTH} characters, including spaces. Split a long post instead of compressing it. Do not number the posts.
The first post is the hook and makes sense on its own: the most striking claim of the sources, and what the reader gains from the rest. Each of the following posts makes one point that can be understood and shared on its own: a fact, a figure, a step or an example. The post before the last one draws the conclusion. The last post says in one sentence what to do or what to watch for.
No hashtags, no emoji, no "a thread". Line breaks inside a post are allowed.
The title is a working title that is not published. It has at most 80 characters.`,
  maxSections: 15,
  maxTextLength: MAX_POST_LENGTH - NUMBERING_LENGTH,
  outline: { opening: null, point: null, points: 8, quotes: 1, maxQuoteLength: MAX_POST_LENGTH - NUMBERING_LENGTH },
  compose: (_title, sections) => sections.map(({ text }, at) => `${at + 1}/${sections.length} ${text}`).join("\n\n"),
};
