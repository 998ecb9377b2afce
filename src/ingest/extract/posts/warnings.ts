import type { TileWarning } from "#domain/content/tile.ts";

/** Added to a post with a video, which is not downloaded. */
export const VIDEO_NOT_TRANSCRIBED: TileWarning = {
  code: "no_transcript",
  message: "The video of this post was not transcribed; only its text was kept.",
};

/** Added to a post that consists of pictures. */
export const POST_WITHOUT_TEXT: TileWarning = {
  code: "no_text",
  message: "This post has no text. Describe its pictures by hand to find it again.",
};
