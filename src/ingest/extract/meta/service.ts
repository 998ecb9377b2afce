import type { TileType } from "#domain/content/tile.ts";

/** A service of Meta: its tile type, its name, and its oEmbed endpoints, which need a token. */
export type MetaService = {
  readonly type: TileType;
  readonly name: string;
  /** Returns the oEmbed endpoint for a subtype, or null if there is none. */
  readonly endpoint: (subtype: string) => string | null;
};

const GRAPH = "https://graph.facebook.com/v25.0";
const VIDEO_SUBTYPE = /^(?:REEL|VIDEO)$/;

export const isVideo = (subtype: string | undefined): boolean => VIDEO_SUBTYPE.test(subtype ?? "");

export const INSTAGRAM: MetaService = {
  type: "INSTAGRAM",
  name: "Instagram",
  endpoint: (subtype) => (/^(?:POST|REEL|VIDEO)$/.test(subtype) ? `${GRAPH}/instagram_oembed` : null),
};

export const FACEBOOK: MetaService = {
  type: "FACEBOOK",
  name: "Facebook",
  endpoint: (subtype) =>
    VIDEO_SUBTYPE.test(subtype) ? `${GRAPH}/oembed_video` : /^(?:POST|PHOTO)$/.test(subtype) ? `${GRAPH}/oembed_post` : null,
};

export const THREADS: MetaService = {
  type: "THREADS",
  name: "Threads",
  endpoint: (subtype) => (subtype === "POST" ? "https://graph.threads.net/v1.0/oembed" : null),
};
