import type { AssetType } from "#domain/answers/generation.ts";
import { article } from "./article.ts";
import type { Asset } from "./asset.ts";
import { carousel } from "./carousel.ts";
import { newsletter } from "./newsletter.ts";
import { podcastEpisode } from "./podcast.ts";
import { post } from "./post.ts";
import { shortVideo } from "./short-video.ts";
import { thread } from "./thread.ts";
import { video } from "./video.ts";

/** Every asset type that can be generated. */
export const ASSETS: Readonly<Record<AssetType, Asset>> = {
  video,
  short_video: shortVideo,
  post,
  thread,
  article,
  newsletter,
  carousel,
  podcast: podcastEpisode,
};
