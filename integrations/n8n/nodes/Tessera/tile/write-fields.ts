import type { INodeProperties } from "n8n-workflow";
import { showFor } from "../shared/operation.ts";

const EXTERNAL_ID: INodeProperties = {
  displayName: "External ID",
  name: "externalId",
  type: "string",
  default: "",
  description: "Your own ID of the tile, by which it can be found and updated",
};

const LANGUAGE: INodeProperties = {
  displayName: "Language",
  name: "language",
  type: "string",
  default: "",
  placeholder: "e.g. de",
  description: "The language of the text, for search. It is detected if empty.",
};

const PROPERTIES: INodeProperties = {
  displayName: "Properties",
  name: "properties",
  type: "json",
  default: "{}",
  description: "Your own data, as a flat JSON object: strings, numbers, booleans, null, or lists of strings",
};

const TAGS: INodeProperties = {
  displayName: "Tags",
  name: "tags",
  type: "string",
  default: "",
  placeholder: "e.g. harbour, ferry",
  description: "Separated by commas. An expression may return an array instead.",
};

const TITLE: INodeProperties = { displayName: "Title", name: "title", type: "string", default: "", description: "The title of the tile" };

const USE_IN_ANSWERS: INodeProperties = {
  displayName: "Use in Answers",
  name: "connected",
  type: "options",
  default: "zone",
  options: [
    { name: "Always in a Connected Zone", value: "always" },
    { name: "As Its Zone Says", value: "zone" },
    { name: "Never", value: "never" },
  ],
  description: "Whether answers and drafts may use the tile",
};

/** What a new tile may have besides its content. */
export const CREATE_OPTIONS: INodeProperties = {
  displayName: "Additional Fields",
  name: "additionalFields",
  type: "collection",
  placeholder: "Add Field",
  default: {},
  ...showFor("tile", "create", "upsert"),
  options: [
    { ...EXTERNAL_ID, displayOptions: { show: { "/operation": ["create"] } } },
    {
      displayName: "If It Exists",
      name: "onDuplicate",
      type: "options",
      default: "skip",
      options: [
        { name: "Create Another", value: "create" },
        { name: "Return the Existing Tile", value: "skip" },
        { name: "Update the Existing Tile", value: "update" },
      ],
      description: "What to do if the board has a tile with the same link or text",
    },
    LANGUAGE,
    {
      displayName: "Page HTML",
      name: "html",
      type: "string",
      default: "",
      description: "The page as a browser rendered it. The server then fetches nothing.",
      displayOptions: { show: { "/source": ["url"] } },
    },
    PROPERTIES,
    {
      displayName: "Skip Deleted",
      name: "skipDeleted",
      type: "boolean",
      default: false,
      description: "Whether to create nothing if such a tile was deleted from the board",
    },
    {
      displayName: "Source URL",
      name: "sourceUrl",
      type: "string",
      default: "",
      description: "Where the text comes from. Answers cite it, and it is never fetched.",
      displayOptions: { show: { "/source": ["text"] } },
    },
    TAGS,
    TITLE,
    USE_IN_ANSWERS,
    {
      displayName: "Wait for Text (Seconds)",
      name: "waitSeconds",
      type: "number",
      typeOptions: { minValue: 0, maxValue: 600 },
      default: 60,
      description: "How long to wait until a link has become text. The tile is returned as it is then.",
    },
  ],
};

/** What an update may change. An empty field clears the value where that is possible. */
export const UPDATE_FIELDS: INodeProperties = {
  displayName: "Update Fields",
  name: "updateFields",
  type: "collection",
  placeholder: "Add Field",
  default: {},
  ...showFor("tile", "update"),
  options: [
    { ...EXTERNAL_ID, description: "Your own ID of the tile. An empty one removes it." },
    LANGUAGE,
    {
      displayName: "Position",
      name: "sortOrder",
      type: "number",
      default: 0,
      description: "The place in the zone: tiles with smaller numbers come first",
    },
    { ...PROPERTIES, description: "Your own data, in place of all earlier properties. An empty object removes them." },
    { ...TAGS, description: "Separated by commas, in place of all earlier tags. An empty field removes them." },
    {
      displayName: "Text",
      name: "content",
      type: "string",
      typeOptions: { rows: 4 },
      default: "",
      description: "The new text of the tile",
    },
    TITLE,
    USE_IN_ANSWERS,
  ],
};
