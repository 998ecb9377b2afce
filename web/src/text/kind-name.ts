import type { Open, TileMetadata, TileType } from "@tessera/sdk";

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

/** A kind of tile as people call it; one that is not known here by its own name. */
export function getKindName(type: Open<TileType>): string {
  const words = type.toLowerCase().replaceAll("_", " ");
  return NAMES[type] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a text is that was made from a board; undefined for any other. */
export function getOriginName(origin: TileMetadata["origin"]): string | undefined {
  if (origin === "answer") return "Saved answer";
  return origin === "generation" ? "Generated" : undefined;
}
