import type { Site } from "../../site.ts";
import { postReader } from "./post.ts";

export const mastodon: Site = {
  type: "MASTODON",
  label: "Mastodon",
  icon: "social",
  text: "post, the rest of its author's thread, replies",
  hosts: "any",
  rules: [
    { path: /^\/(?:web\/|deck\/)?@[\w.-]+(?:@[\w.-]+)?\/(\d{6,20})(?:\/embed)?\/?$/, subtype: "POST" },
    { path: /^\/(?:web|deck)\/statuses\/(\d{6,20})\/?$/, subtype: "POST" },
    { path: /^\/(?:ap\/)?users\/[\w.-]+\/statuses\/(\d{6,20})(?:\/activity)?\/?$/, subtype: "POST" },
  ],
  readers: [postReader],
};
