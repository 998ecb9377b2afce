import type { INodeProperties } from "n8n-workflow";
import { TYPES_FILTER } from "../Tessera/shared/filters.ts";
import { boardLocator } from "../Tessera/shared/locators.ts";

const FILTERS: INodeProperties = {
  displayName: "Filters",
  name: "filters",
  type: "collection",
  placeholder: "Add Filter",
  default: {},
  description: "Which tiles the events are about. Events of drafts are not filtered.",
  options: [
    {
      displayName: "Tags",
      name: "tags",
      type: "string",
      default: "",
      placeholder: "e.g. harbour, ferry",
      description: "Only tiles with all of these tags, separated by commas",
    },
    TYPES_FILTER,
    {
      displayName: "Zone Names or IDs",
      name: "zones",
      type: "multiOptions",
      typeOptions: { loadOptionsMethod: "listZones", loadOptionsDependsOn: ["board"] },
      default: [],
      description:
        'Only tiles in these zones. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
    },
  ],
};

const OPTIONS: INodeProperties = {
  displayName: "Options",
  name: "options",
  type: "collection",
  placeholder: "Add Option",
  default: {},
  options: [
    {
      displayName: "Include Tile",
      name: "includeTile",
      type: "boolean",
      default: true,
      description: "Whether to add the whole tile with its text, as it is when the event arrives",
    },
    {
      displayName: "Skip Missed Events",
      name: "skipMissed",
      type: "boolean",
      default: true,
      description:
        "Whether to leave out what happened while the workflow was inactive. Otherwise it runs for that when it is activated again.",
    },
  ],
};

/** The fields of the trigger, in the order in which they are shown. */
export const TRIGGER_FIELDS: INodeProperties[] = [
  {
    displayName: "Events",
    name: "events",
    type: "multiOptions",
    required: true,
    default: ["tile.ready"],
    options: [
      { name: "Draft Complete", value: "generation.complete", description: "A draft or a list of ideas is complete" },
      { name: "Draft Failed", value: "generation.failed", description: "A draft ended without a result" },
      { name: "Tile Created", value: "tile.created", description: "A tile was added; the text of a link comes later" },
      { name: "Tile Deleted", value: "tile.deleted", description: "A tile was deleted" },
      { name: "Tile Failed", value: "tile.failed", description: "A link or file could not be read" },
      { name: "Tile Ready", value: "tile.ready", description: "A link or file has become text" },
      { name: "Tile Updated", value: "tile.updated", description: "A tile was changed" },
    ],
    description: "The events that start the workflow",
  },
  boardLocator({ required: false, description: "Only events of this board. All boards that the key reaches if empty." }),
  FILTERS,
  OPTIONS,
];
