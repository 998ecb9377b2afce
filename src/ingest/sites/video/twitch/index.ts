import { idFromQuery, idUnlessReserved } from "../../address.ts";
import type { Site } from "../../site.ts";
import { reader } from "./sources.ts";

const RESERVED =
  "directory videos settings downloads jobs p turbo search store subscriptions wallet login signup friends inventory drops prime bits broadcast";

export const twitch: Site = {
  type: "TWITCH",
  label: "Twitch",
  icon: "video",
  text: "title, channel and length; a channel lists its latest videos",
  hosts: /^(?:(?:clips|player|go)\.)?twitch\.tv$/,
  rules: [
    { host: /^clips\./, path: /^\/embed\/?$/, subtype: "CLIP", id: idFromQuery("clip", /^[\w-]+$/) },
    { host: /^clips\./, path: /^\/([\w-]+)\/?$/, subtype: "CLIP" },
    {
      host: /^player\./,
      path: /^\/$/,
      subtype: "VIDEO",
      id: (_match, address) => /^v?(\d+)$/.exec(address.query.get("video") ?? "")?.[1],
    },
    { host: /^player\./, path: /^\/$/, subtype: "CHANNEL", id: idFromQuery("channel", /^\w+$/) },
    { path: /^\/videos\/v?(\d+)/, subtype: "VIDEO" },
    { path: /^\/\w+\/(?:video|v|b)\/(\d+)/, subtype: "VIDEO" },
    { path: /^\/\w+\/clip\/([\w-]+)/, subtype: "CLIP" },
    { path: /^\/(\w{2,25})(?:\/(?:about|schedule|videos|clips|home))?\/?$/, subtype: "CHANNEL", id: idUnlessReserved(RESERVED) },
  ],
  readers: [reader],
};
