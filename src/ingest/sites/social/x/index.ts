import { idUnlessReserved } from "../../address.ts";
import type { Site } from "../../site.ts";
import { postReader, profileReader } from "./post.ts";

const RESERVED =
  "search home explore notifications i settings login logout signup hashtag messages compose tos privacy about intent share jobs download account who_to_follow bookmarks lists";

export const x: Site = {
  type: "X",
  label: "X",
  icon: "social",
  text: "post with its links written out, the post it quotes, descriptions of pictures",
  hosts: /^(?:x|twitter|fxtwitter|vxtwitter|fixupx|fixvx|twittpr)\.com$/,
  rules: [
    { path: /^\/(?:\w+|i\/web)\/status(?:es)?\/(\d+)/, subtype: "POST" },
    { path: /^\/\w+\/article\/(\d+)/, subtype: "ARTICLE" },
    { path: /^\/i\/spaces\/(\w+)/, subtype: "SPACE" },
    { path: /^\/i\/broadcasts\/(\w+)/, subtype: "BROADCAST" },
    { path: /^\/i\/(?:lists|communities)\/(\d+)/, subtype: "LIST" },
    {
      path: /^\/(\w{1,15})(?:\/(?:with_replies|media|likes|highlights|articles))?\/?$/,
      subtype: "PROFILE",
      id: idUnlessReserved(RESERVED),
    },
  ],
  readers: [postReader, profileReader],
};
