import type { INodeProperties } from "n8n-workflow";
import { TYPES_FILTER } from "../shared/filters.ts";
import { showFor } from "../shared/operation.ts";

/** By what a listing is filtered. */
export const LIST_FILTERS: INodeProperties = {
  displayName: "Filters",
  name: "filters",
  type: "collection",
  placeholder: "Add Filter",
  default: {},
  ...showFor("tile", "getAll"),
  options: [
    { displayName: "External ID", name: "externalId", type: "string", default: "", description: "Only the tile with this ID of yours" },
    {
      displayName: "Properties",
      name: "properties",
      type: "json",
      default: "{}",
      description: "Only tiles with these values of their properties, as a JSON object. A list means any of its values.",
    },
    { displayName: "Source URL", name: "sourceUrl", type: "string", default: "", description: "Only tiles of this link" },
    {
      displayName: "Status",
      name: "status",
      type: "multiOptions",
      default: [],
      options: [
        { name: "Failed", value: "failed" },
        { name: "Processing", value: "processing" },
        { name: "Ready", value: "ready" },
      ],
      description: "Only tiles with one of these statuses",
    },
    {
      displayName: "Tags",
      name: "tags",
      type: "string",
      default: "",
      description: "Only tiles with all of these tags, separated by commas",
    },
    TYPES_FILTER,
    {
      displayName: "Updated Since",
      name: "updatedSince",
      type: "dateTime",
      default: "",
      description: "Only tiles changed at or after this time, in the order of their change",
    },
  ],
};

/** How a listing is sorted, and what it contains. */
export const LIST_OPTIONS: INodeProperties = {
  displayName: "Options",
  name: "options",
  type: "collection",
  placeholder: "Add Option",
  default: {},
  ...showFor("tile", "getAll"),
  options: [
    {
      displayName: "Include Text",
      name: "text",
      type: "boolean",
      default: true,
      description: "Whether to return the text of each tile",
    },
    {
      displayName: "Sort",
      name: "order",
      type: "options",
      default: "desc",
      options: [
        { name: "As on the Board", value: "position" },
        { name: "Newest First", value: "desc" },
        { name: "Oldest First", value: "asc" },
      ],
      description: "The order of the tiles. With the filter Updated Since it is that of their changes.",
    },
  ],
};

export const WAIT_FIELD: INodeProperties = {
  displayName: "Options",
  name: "options",
  type: "collection",
  placeholder: "Add Option",
  default: {},
  ...showFor("tile", "get"),
  options: [
    {
      displayName: "Wait for Text (Seconds)",
      name: "waitSeconds",
      type: "number",
      typeOptions: { minValue: 0, maxValue: 600 },
      default: 60,
      description: "How long to wait while the tile is processing. The tile is returned as it is then.",
    },
  ],
};
