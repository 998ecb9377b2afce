import type { Site } from "../../site.ts";
import { postReader } from "./post.ts";
import { profileReader } from "./profile.ts";

export const tiktok: Site = {
  type: "TIKTOK",
  label: "TikTok",
  icon: "video",
  text: "description and captions",
  hosts: /^(?:(?:vm|vt)\.)?tiktok\.com$/,
  rules: [
    { host: /^v[mt]\./, path: /^\/([\w-]+)\/?$/, subtype: "VIDEO" },
    { path: /^\/t\/([\w-]+)\/?$/, subtype: "VIDEO" },
    { path: /^\/@[^/]*\/video\/(\d+)/, subtype: "VIDEO" },
    { path: /^\/@[^/]*\/photo\/(\d+)/, subtype: "PHOTO" },
    { path: /^\/(?:embed(?:\/v\d)?|player\/v1|share\/video|v)\/(\d+)/, subtype: "VIDEO" },
    { path: /^\/@[^/]*\/live\/?$/, subtype: "LIVE", id: (_match, address) => address.path.split("/")[1] },
    { path: /^\/@[^/]*\/playlist\/(?:.*-)?(\d+)\/?$/, subtype: "PLAYLIST" },
    { path: /^\/(@[^/]+)\/?$/, subtype: "PROFILE" },
  ],
  readers: [postReader, profileReader],
};
