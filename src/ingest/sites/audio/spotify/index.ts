import type { Site } from "../../site.ts";
import { readers } from "./sources.ts";

const SPOTIFY_PATH = "^\\/(?:intl-[a-z-]+\\/)?(?:embed(?:-podcast)?\\/)?(?:user\\/[^/]+\\/)?";
const createSpotifyRule = (word: string) => ({
  path: new RegExp(`${SPOTIFY_PATH}${word}\\/([A-Za-z0-9]+)`, "i"),
  subtype: word.toUpperCase(),
});

export const spotify: Site = {
  type: "SPOTIFY",
  label: "Spotify",
  icon: "audio",
  text: "description of an episode, show or audiobook; titles of a list; no lyrics",
  hosts: /^(?:open|play|embed)\.spotify\.com$/,
  rules: ["track", "episode", "show", "album", "playlist", "artist", "audiobook"].map(createSpotifyRule),
  readers,
};
