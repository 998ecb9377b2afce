import type { INodeProperties } from "n8n-workflow";
import { limitFields } from "../shared/listing.ts";
import { boardLocator, tileLocator, zoneLocator } from "../shared/locators.ts";
import { showFor, simplifyField } from "../shared/operation.ts";
import { CREATE_OPTIONS, UPDATE_FIELDS } from "./write-fields.ts";
import { LIST_FILTERS, LIST_OPTIONS, WAIT_FIELD } from "./read-fields.ts";

const CREATING = showFor("tile", "create", "upsert");
const BY_ID = showFor("tile", "get", "update", "delete");

/** The fields of the operations on tiles, in the order in which they are shown. */
export const TILE_FIELDS: INodeProperties[] = [
  boardLocator(showFor("tile", "create", "upsert", "getAll")),
  tileLocator(BY_ID),
  {
    displayName: "External ID",
    name: "externalId",
    type: "string",
    default: "",
    required: true,
    placeholder: "e.g. order-4711",
    description: "Your own ID of the tile. If a tile of the board has it, that tile is updated.",
    ...showFor("tile", "upsert"),
  },
  {
    displayName: "Content",
    name: "source",
    type: "options",
    default: "url",
    options: [
      { name: "Link", value: "url", description: "A page, video, post or file that the server reads" },
      { name: "Text", value: "text", description: "A text that you give" },
    ],
    description: "Whether the server reads a link, or the tile holds a text",
    ...CREATING,
  },
  {
    displayName: "URL",
    name: "url",
    type: "string",
    default: "",
    required: true,
    placeholder: "e.g. https://example.com/article",
    description: "The link to read",
    displayOptions: { show: { resource: ["tile"], operation: ["create", "upsert"], source: ["url"] } },
  },
  {
    displayName: "Text",
    name: "content",
    type: "string",
    typeOptions: { rows: 4 },
    default: "",
    required: true,
    description: "The text of the tile",
    displayOptions: { show: { resource: ["tile"], operation: ["create", "upsert"], source: ["text"] } },
  },
  zoneLocator({ description: "The zone in which the tile is put. Outside all zones if empty.", ...CREATING }),
  zoneLocator(
    { description: "The zone to which the tile is moved. It stays where it is if empty.", ...showFor("tile", "update") },
    "searchZonesOrNone",
  ),
  zoneLocator({ description: "Only tiles of this zone. All of the board if empty.", ...showFor("tile", "getAll") }, "searchZonesOrNone"),
  ...limitFields("tile", "getAll"),
  simplifyField("tile", "create", "upsert", "get", "getAll", "update"),
  CREATE_OPTIONS,
  UPDATE_FIELDS,
  LIST_FILTERS,
  LIST_OPTIONS,
  WAIT_FIELD,
];
