import type { Site } from "../../site.ts";
import { postReader } from "./post.ts";
import { profileReader } from "./profile.ts";

export const bluesky: Site = {
  type: "BLUESKY",
  label: "Bluesky",
  icon: "social",
  text: "post, the rest of its author's thread, replies; an account lists its latest posts",
  hosts: /^(?:bsky|fxbsky|bskyx|vxbsky|bsyy)\.app$|^staging\.bsky\.app$/,
  rules: [
    { path: /^\/profile\/([^/]+)\/post\/([\w.~-]+)/, subtype: "POST", id: (match) => `${match[1]}/${match[2]}` },
    { path: /^\/profile\/([^/]+)\/lists\/([\w.~-]+)/, subtype: "LIST", id: (match) => `${match[1]}/${match[2]}` },
    { path: /^\/profile\/([^/]+)\/feed\/([\w.~-]+)/, subtype: "FEED", id: (match) => `${match[1]}/${match[2]}` },
    { path: /^\/profile\/([^/]+)\/?$/, subtype: "PROFILE" },
  ],
  readers: [postReader, profileReader],
};
