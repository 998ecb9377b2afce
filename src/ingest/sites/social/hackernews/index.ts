import { idFromQuery } from "../../address.ts";
import type { Site } from "../../site.ts";
import { itemReader } from "./item.ts";

const NUMBER = /^\d+$/;

export const hackernews: Site = {
  type: "HACKERNEWS",
  label: "Hacker News",
  icon: "social",
  text: "post and its first comments",
  hosts: /^news\.ycombinator\.com$/,
  rules: [
    { path: /^\/rss\/?$/, type: "FEED", subtype: null },
    { path: /^\/item\/?$/, subtype: "ITEM", id: idFromQuery("id", NUMBER) },
    { path: /^\/(?:user|submitted|threads)\/?$/, subtype: "USER", id: idFromQuery("id", /^[\w-]+$/) },
  ],
  readers: [itemReader],
};
