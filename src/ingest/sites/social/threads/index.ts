import type { Site } from "../../site.ts";
import { createMetaReaders } from "../../../extract/meta/readers.ts";
import { THREADS } from "../../../extract/meta/service.ts";

export const threads: Site = {
  type: "THREADS",
  label: "Threads",
  icon: "social",
  text: "post or caption, where the site shows it without a login",
  hosts: /^threads\.(?:net|com)$/,
  rules: [
    { path: /^\/@[^/]+\/post\/([\w-]+)/, subtype: "POST" },
    { path: /^\/t\/([\w-]+)/, subtype: "POST" },
    { path: /^\/(@[^/]+)(?:\/(?:replies|media|reposts))?\/?$/, subtype: "PROFILE" },
  ],
  readers: createMetaReaders(THREADS),
};
