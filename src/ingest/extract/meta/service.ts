import type { TileType } from "#domain/content/tile.ts";

/** A service of Meta: its tile type, its name, and its oEmbed endpoints, which need a token. */
export type Service = {
  readonly type: TileType;
  readonly name: string;
  /** The oEmbed endpoint for a subtype; null where there is none. */
  readonly endpoint: (subtype: string) => string | null;
};

const GRAPH = "https://graph.facebook.com/v25.0";
const MOVING = /^(?:REEL|VIDEO)$/;

export const isVideo = (subtype: string | undefined): boolean => MOVING.test(subtype ?? "");

export const INSTAGRAM: Service = {
  type: "INSTAGRAM",
  name: "Instagram",
  endpoint: (subtype) => (/^(?:POST|REEL|VIDEO)$/.test(subtype) ? `${GRAPH}/instagram_oembed` : null),
};

export const FACEBOOK: Service = {
  type: "FACEBOOK",
  name: "Facebook",
  endpoint: (subtype) =>
    MOVING.test(subtype) ? `${GRAPH}/oembed_video` : /^(?:POST|PHOTO)$/.test(subtype) ? `${GRAPH}/oembed_post` : null,
};

export const THREADS: Service = {
  type: "THREADS",
  name: "Threads",
  endpoint: (subtype) => (subtype === "POST" ? "https://graph.threads.net/v1.0/oembed" : null),
};
