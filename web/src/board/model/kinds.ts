import type { TileType } from "@tessera/sdk";

export type KindGroup = "text" | "page" | "video" | "audio" | "social" | "document" | "image";

export const GROUP_NAMES: Readonly<Record<KindGroup, string>> = {
  text: "Text",
  page: "Web pages",
  video: "Videos",
  audio: "Audio",
  social: "Social posts",
  document: "Documents",
  image: "Images",
};

const KINDS: Readonly<Record<string, readonly [name: string, group: KindGroup]>> = {
  TEXT: ["Text", "text"],
  YOUTUBE: ["YouTube", "video"],
  TIKTOK: ["TikTok", "video"],
  INSTAGRAM: ["Instagram", "social"],
  FACEBOOK: ["Facebook", "social"],
  X: ["X", "social"],
  LINKEDIN: ["LinkedIn", "social"],
  THREADS: ["Threads", "social"],
  BLUESKY: ["Bluesky", "social"],
  MASTODON: ["Mastodon", "social"],
  REDDIT: ["Reddit", "social"],
  HACKERNEWS: ["Hacker News", "social"],
  VIMEO: ["Vimeo", "video"],
  LOOM: ["Loom", "video"],
  TWITCH: ["Twitch", "video"],
  DAILYMOTION: ["Dailymotion", "video"],
  SPOTIFY: ["Spotify", "audio"],
  PODCAST: ["Podcast", "audio"],
  SOUNDCLOUD: ["SoundCloud", "audio"],
  GITHUB: ["GitHub", "page"],
  GOOGLE_DOC: ["Google Doc", "document"],
  FEED: ["Feed", "page"],
  PDF: ["PDF", "document"],
  DOCUMENT: ["Document", "document"],
  IMAGE: ["Image", "image"],
  AUDIO: ["Audio", "audio"],
  VIDEO: ["Video", "video"],
  WEBSITE: ["Web page", "page"],
};

/** A kind that is not known here is shown by its own name, as a page. */
export function kindOf(type: TileType): { readonly name: string; readonly group: KindGroup } {
  const known = KINDS[type];
  return known === undefined ? { name: type.toLowerCase(), group: "page" } : { name: known[0], group: known[1] };
}

const STAGES: Readonly<Record<KindGroup, string>> = {
  text: "Reading",
  page: "Reading the page",
  video: "Getting the transcript",
  audio: "Getting the transcript",
  social: "Reading the post",
  document: "Reading the document",
  image: "Reading the image",
};

const NAMED_STAGES: Readonly<Record<string, string>> = {
  queued: "Waiting its turn",
  detect: "Looking at the link",
  fetch: "Fetching it",
  extract: "Taking out the text",
  transcript: "Getting the transcript",
  clean: "Tidying the text",
  index: "Making it searchable",
  store: "Saving it",
};

/** What is happening to a tile that is processed: the server's stage where it tells one, else by the kind. */
export function stageOf(tile: { readonly type: TileType; readonly stage?: string | null }): string {
  const { stage } = tile;
  if (stage) return NAMED_STAGES[stage] ?? stage;
  return STAGES[kindOf(tile.type).group];
}
