import type { Site } from "../../site.ts";
import { showcaseReader, videoReader } from "./sources.ts";

export const vimeo: Site = {
  type: "VIMEO",
  label: "Vimeo",
  icon: "video",
  text: "description and captions",
  hosts: /^(?:player\.)?vimeo\.com$/,
  rules: [
    { path: /^\/(?:video\/)?(\d+)(?:\/[0-9a-f]+)?\/?$/, subtype: "VIDEO" },
    { path: /^\/(?:showcase|album)\/(\d+)\/video\/\d+/, subtype: "VIDEO" },
    { path: /^\/(?:channels|groups|ondemand|categories)\/[^/]+\/(?:videos?\/)?(\d+)/, subtype: "VIDEO" },
    { path: /^\/(?:event|manage\/videos)\/(\d+)/, subtype: "VIDEO" },
    { path: /^\/(?:showcase|album)\/(\d+)\/?$/, subtype: "SHOWCASE" },
    { path: /^\/(user\d+)\/?$/, subtype: "PROFILE" },
  ],
  readers: [videoReader, showcaseReader],
};
