import type { Kind } from "../detect.ts";
import { podcastEpisode } from "./audio/podcast/episode.ts";
import { podcastShow } from "./audio/podcast/show.ts";
import { soundcloud } from "./audio/soundcloud/sources.ts";
import { spotify } from "./audio/spotify/sources.ts";
import { file } from "../formats/file/file.ts";
import type { Extractor } from "../extract/extractor.ts";
import { blueskyPost } from "./social/bluesky/post.ts";
import { blueskyProfile } from "./social/bluesky/profile.ts";
import { hackerNewsItem } from "./social/hackernews/item.ts";
import { linkedinArticle, linkedinPage, linkedinPost } from "./social/linkedin/page.ts";
import { mastodonPost } from "./social/mastodon/post.ts";
import { facebook, instagram, threads } from "../extract/meta/extractors.ts";
import { redditListing, redditPost } from "./social/reddit/post.ts";
import { xPage, xPost } from "./social/x/post.ts";
import { dailymotionPlaylist, dailymotionVideo } from "./video/dailymotion/sources.ts";
import { loomFolder, loomVideo } from "./video/loom/sources.ts";
import { tiktokPlace, tiktokPost } from "./video/tiktok/sources.ts";
import { twitch } from "./video/twitch/sources.ts";
import { vimeoPlace, vimeoVideo } from "./video/vimeo/sources.ts";
import { youtubeChannel, youtubePost } from "./video/youtube/channel.ts";
import { youtubePlaylist } from "./video/youtube/playlist.ts";
import { youtubeVideo } from "./video/youtube/video.ts";
import { webPage } from "../formats/web-page.ts";
import { feed } from "../formats/feed.ts";
import { github } from "./documents/github/pages.ts";
import { googleDoc } from "./documents/google-doc/google-doc.ts";

const VIDEO: readonly Extractor[] = [
  youtubeVideo,
  youtubePlaylist,
  youtubeChannel,
  youtubePost,
  tiktokPost,
  tiktokPlace,
  vimeoVideo,
  vimeoPlace,
  loomVideo,
  loomFolder,
  twitch,
  dailymotionVideo,
  dailymotionPlaylist,
];

const SOCIAL: readonly Extractor[] = [
  xPost,
  xPage,
  blueskyPost,
  blueskyProfile,
  mastodonPost,
  redditPost,
  redditListing,
  hackerNewsItem,
  linkedinPost,
  linkedinArticle,
  linkedinPage,
  instagram,
  facebook,
  threads,
];

const WORKS: readonly Extractor[] = [spotify, podcastEpisode, podcastShow, soundcloud, github, googleDoc, feed];

/** Every extractor, the particular before the general; the last takes what nobody else does. */
export const EXTRACTORS: readonly Extractor[] = [...VIDEO, ...SOCIAL, ...WORKS, file, webPage];

/** The first extractor of the list that accepts the kind; the web page where none does. */
export const chooseExtractor = (kind: Kind, extractors: readonly Extractor[] = EXTRACTORS): Extractor =>
  extractors.find((extractor) => extractor.accepts(kind)) ?? webPage;
