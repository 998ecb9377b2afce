import { idFromQuery } from "../../address.ts";
import type { Site } from "../../site.ts";
import { playlistReader } from "./playlist.ts";
import { videoReader } from "./video.ts";

export const dailymotion: Site = {
  type: "DAILYMOTION",
  label: "Dailymotion",
  icon: "video",
  text: "description and captions; a playlist lists its videos",
  hosts: /^(?:(?:geo|touch)\.)?dailymotion\.com$|^dai\.ly$/,
  rules: [
    { host: /^dai\.ly$/, path: /^\/(?:video\/)?([A-Za-z0-9]+)\/?$/, subtype: "VIDEO" },
    { path: /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?(?:embed\/|swf\/)?video\/([A-Za-z0-9]+)/i, subtype: "VIDEO" },
    { path: /^\/player(?:\/\w+)?\.html$/, subtype: "VIDEO", id: idFromQuery("video", /^[A-Za-z0-9]+$/) },
    { path: /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?(?:embed\/)?playlist\/([A-Za-z0-9]+)/i, subtype: "PLAYLIST" },
  ],
  readers: [videoReader, playlistReader],
};
