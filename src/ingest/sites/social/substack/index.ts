import type { Site } from "../../site.ts";
import { noteReader } from "./note.ts";

export const substack: Site = {
  type: "SUBSTACK",
  label: "Substack",
  icon: "social",
  text: "note, the note that it answers, what it shares, replies",
  hosts: /^(?:[\w-]+\.)?substack\.com$/,
  rules: [
    { path: /^\/(?:(?:@[^/]+|profile\/[^/]+)\/)?notes?\/c-(\d{1,15})\/?$/, subtype: "NOTE" },
    // Articles are web pages, and a publication's feed stays a feed.
    { path: /^\/feed(?:\/(?:rss2?|atom|rdf|podcast))?\/?$/i, type: "FEED", subtype: null },
  ],
  readers: [noteReader],
};
