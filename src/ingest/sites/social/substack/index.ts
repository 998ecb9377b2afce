import type { Site } from "../../site.ts";
import { noteReader } from "./note.ts";

export const substack: Site = {
  type: "SUBSTACK",
  label: "Substack",
  icon: "social",
  text: "note, the note that it answers, what it shares, replies",
  hosts: /^(?:[\w-]+\.)?substack\.com$/,
  hostsPublishers: true,
  rules: [{ path: /^\/(?:(?:@[^/]+|profile\/[^/]+)\/)?notes?\/c-(\d{1,15})\/?$/, subtype: "NOTE" }],
  readers: [noteReader],
};
