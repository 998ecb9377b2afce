// Written by `npm run sites` from src/ingest/sites and src/ingest/formats/kinds.ts; do not edit.
import { podcast } from "./audio/podcast/index.ts";
import { soundcloud } from "./audio/soundcloud/index.ts";
import { spotify } from "./audio/spotify/index.ts";
import { github } from "./documents/github/index.ts";
import { googleDoc } from "./documents/google-doc/index.ts";
import { bluesky } from "./social/bluesky/index.ts";
import { facebook } from "./social/facebook/index.ts";
import { hackernews } from "./social/hackernews/index.ts";
import { instagram } from "./social/instagram/index.ts";
import { linkedin } from "./social/linkedin/index.ts";
import { mastodon } from "./social/mastodon/index.ts";
import { reddit } from "./social/reddit/index.ts";
import { substack } from "./social/substack/index.ts";
import { threads } from "./social/threads/index.ts";
import { x } from "./social/x/index.ts";
import { dailymotion } from "./video/dailymotion/index.ts";
import { loom } from "./video/loom/index.ts";
import { tiktok } from "./video/tiktok/index.ts";
import { twitch } from "./video/twitch/index.ts";
import { vimeo } from "./video/vimeo/index.ts";
import { youtube } from "./video/youtube/index.ts";
import type { Site } from "./site.ts";

export const SITES: readonly Site[] = [
  podcast,
  soundcloud,
  spotify,
  github,
  googleDoc,
  bluesky,
  facebook,
  hackernews,
  instagram,
  linkedin,
  mastodon,
  reddit,
  substack,
  threads,
  x,
  dailymotion,
  loom,
  tiktok,
  twitch,
  vimeo,
  youtube,
];
