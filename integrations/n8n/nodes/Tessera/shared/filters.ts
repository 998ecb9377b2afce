import type { INodeProperties } from "n8n-workflow";

/** The types of tiles, wherever tiles are filtered. */
export const TYPES_FILTER: INodeProperties = {
  displayName: "Types",
  name: "types",
  type: "string",
  default: "",
  placeholder: "e.g. YOUTUBE, WEBSITE",
  description: "Only tiles of these types, separated by commas",
};
