import type { INodeProperties } from "n8n-workflow";
import { TYPES_FILTER } from "../shared/filters.ts";
import { limitFields } from "../shared/listing.ts";
import { boardLocator, zoneLocator } from "../shared/locators.ts";
import { showFor } from "../shared/operation.ts";

const SEARCH_OPTIONS: INodeProperties = {
  displayName: "Options",
  name: "options",
  type: "collection",
  placeholder: "Add Option",
  default: {},
  ...showFor("board", "search"),
  options: [
    {
      displayName: "Created Before",
      name: "createdBefore",
      type: "dateTime",
      default: "",
      description: "Only tiles created before this time",
    },
    {
      displayName: "Created Since",
      name: "createdSince",
      type: "dateTime",
      default: "",
      description: "Only tiles created at or after this time",
    },
    {
      displayName: "Minimum Score",
      name: "minScore",
      type: "number",
      typeOptions: { minValue: 0, maxValue: 1, numberPrecision: 2 },
      default: 0.2,
      description: "Leave out results below this share of the best possible match, from 0 to 1",
    },
    {
      displayName: "Search Everything",
      name: "everything",
      type: "boolean",
      default: false,
      description: "Whether to search tiles that do not feed answers, and those without text by their title",
    },
    TYPES_FILTER,
  ],
};

/** The fields of the operations on boards, in the order in which they are shown. */
export const BOARD_FIELDS: INodeProperties[] = [
  boardLocator(showFor("board", "ask", "get", "search")),
  {
    displayName: "Question",
    name: "question",
    type: "string",
    typeOptions: { rows: 2 },
    default: "",
    required: true,
    placeholder: "e.g. When does the harbour office open?",
    description: "A question that the content of the board answers. Questions that it does not answer are not guessed.",
    ...showFor("board", "ask"),
  },
  {
    displayName: "Query",
    name: "query",
    type: "string",
    default: "",
    required: true,
    placeholder: "e.g. harbour office",
    description: 'Words to find. "Words in quotation marks" must stand together, and a star ends the beginning of a word.',
    ...showFor("board", "search"),
  },
  zoneLocator({ description: "Only tiles of this zone. All zones if empty.", ...showFor("board", "search") }),
  ...limitFields("board", "getAll"),
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1, maxValue: 100 },
    default: 50,
    description: "Max number of results to return",
    ...showFor("board", "search"),
  },
  SEARCH_OPTIONS,
];
