import type { TileMetadata, TileType } from "@tessera/sdk";

const NAMES: Readonly<Record<string, string>> = {
  YOUTUBE: "YouTube",
  TIKTOK: "TikTok",
  LINKEDIN: "LinkedIn",
  HACKERNEWS: "Hacker News",
  SOUNDCLOUD: "SoundCloud",
  GITHUB: "GitHub",
  GOOGLE_DOC: "Google Doc",
  PDF: "PDF",
  WEBSITE: "Web page",
};

/** The display name of a tile type; derived from the type itself if unknown. */
export function getKindName(type: TileType): string {
  const words = type.toLowerCase().replaceAll("_", " ");
  return NAMES[type] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** The display name of a text's origin; undefined if it was not generated from the board. */
export function getOriginName(origin: TileMetadata["origin"]): string | undefined {
  if (origin === "answer") return "Saved answer";
  return origin === "generation" ? "Generated" : undefined;
}
