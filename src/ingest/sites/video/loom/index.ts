import type { Site } from "../../site.ts";
import { folderReader, videoReader } from "./sources.ts";

export const loom: Site = {
  type: "LOOM",
  label: "Loom",
  icon: "video",
  text: "description and captions; a folder lists its recordings",
  hosts: /^loom\.com$/,
  rules: [
    { path: /^\/(?:share|embed|i|v)\/(?:[^/]*-)?([0-9a-f]{32})/i, subtype: "VIDEO" },
    { path: /^\/share\/folder\/([0-9a-f]{32})/i, subtype: "FOLDER" },
  ],
  readers: [videoReader, folderReader],
};
