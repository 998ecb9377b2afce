import type { TileType } from "@tessera/sdk";
import { getKindName } from "../../text/kind-name.ts";

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

const GROUPS: Readonly<Record<string, KindGroup>> = {
  TEXT: "text",
  YOUTUBE: "video",
  TIKTOK: "video",
  INSTAGRAM: "social",
  FACEBOOK: "social",
  X: "social",
  LINKEDIN: "social",
  THREADS: "social",
  BLUESKY: "social",
  MASTODON: "social",
  REDDIT: "social",
  HACKERNEWS: "social",
  VIMEO: "video",
  LOOM: "video",
  TWITCH: "video",
  DAILYMOTION: "video",
  SPOTIFY: "audio",
  PODCAST: "audio",
  SOUNDCLOUD: "audio",
  GITHUB: "page",
  GOOGLE_DOC: "document",
  FEED: "page",
  PDF: "document",
  DOCUMENT: "document",
  IMAGE: "image",
  AUDIO: "audio",
  VIDEO: "video",
  WEBSITE: "page",
};

/** The name and group of a tile's type. Unknown types are shown as web pages. */
export const getKind = (type: TileType): { readonly name: string; readonly group: KindGroup } => ({
  name: getKindName(type),
  group: GROUPS[type] ?? "page",
});
