// Written by `npm run sites` from src/ingest/sites and src/ingest/formats/kinds.ts; do not edit.

/** Types of tiles; the list may grow, and clients must accept unknown values. */
export const TILE_TYPES = [
  "TEXT",
  "PODCAST",
  "SOUNDCLOUD",
  "SPOTIFY",
  "GITHUB",
  "GOOGLE_DOC",
  "BLUESKY",
  "FACEBOOK",
  "HACKERNEWS",
  "INSTAGRAM",
  "LINKEDIN",
  "MASTODON",
  "REDDIT",
  "THREADS",
  "X",
  "DAILYMOTION",
  "LOOM",
  "TIKTOK",
  "TWITCH",
  "VIMEO",
  "YOUTUBE",
  "FEED",
  "PDF",
  "DOCUMENT",
  "IMAGE",
  "AUDIO",
  "VIDEO",
  "WEBSITE",
] as const;
export type TileType = (typeof TILE_TYPES)[number];
