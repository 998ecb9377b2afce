import { idFromQuery } from "../../address.ts";
import type { Site } from "../../site.ts";
import { episodeReader } from "./episode.ts";
import { showReader } from "./show.ts";

const SHOW = /^\/(?:[a-z]{2}\/)?podcast\/(?:[^/]+\/)?id(\d+)/i;

export const podcast: Site = {
  type: "PODCAST",
  label: "Podcast",
  icon: "audio",
  text: "transcript where the feed names one, otherwise show notes; a show lists its episodes",
  hosts: /^(?:embed\.)?podcasts\.apple\.com$|^itunes\.apple\.com$/,
  rules: [
    { path: SHOW, subtype: "EPISODE", id: idFromQuery("i", /^\d+$/) },
    { path: SHOW, subtype: "SHOW" },
  ],
  readers: [episodeReader, showReader],
};
