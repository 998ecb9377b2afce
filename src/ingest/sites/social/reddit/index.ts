import type { Site } from "../../site.ts";
import { listingReader, postReader } from "./post.ts";

export const reddit: Site = {
  type: "REDDIT",
  label: "Reddit",
  icon: "social",
  text: "post and its best comments; a subreddit or user lists the latest posts",
  hosts: /^(?:(?:old|np|new|sh|amp|i|pay|[a-z]{2})\.)?reddit\.com$|^redd\.it$/,
  rules: [
    { path: /\.rss$/, type: "FEED", subtype: null },
    { host: /^redd\.it$/, path: /^\/(\w+)\/?$/, subtype: "POST" },
    { path: /^\/(?:(?:r|u|user)\/[\w-]+\/)?comments\/(\w+)\/[^/]*\/\w+\/?$/, subtype: "COMMENT" },
    { path: /^\/(?:(?:r|u|user)\/[\w-]+\/)?comments\/(\w+)/, subtype: "POST" },
    { path: /^\/(?:gallery|tb)\/(\w+)/, subtype: "POST" },
    { path: /^\/(?:r|u|user)\/[\w-]+\/s\/(\w+)/, subtype: "POST" },
    { path: /^\/r\/(\w+)(?:\/(?:hot|new|top|rising|best|controversial|about|wiki))?\/?$/, subtype: "SUBREDDIT" },
    { path: /^\/(?:u|user)\/([\w-]+)(?:\/\w+)?\/?$/, subtype: "USER" },
  ],
  readers: [postReader, listingReader],
};
