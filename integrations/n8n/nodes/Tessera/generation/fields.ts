import type { INodeProperties } from "n8n-workflow";
import { boardLocator, zoneLocator } from "../shared/locators.ts";
import { showFor, simplifyField } from "../shared/operation.ts";

const STARTING = showFor("generation", "generate", "start");

const OPTIONS: INodeProperties = {
  displayName: "Additional Fields",
  name: "additionalFields",
  type: "collection",
  placeholder: "Add Field",
  default: {},
  ...STARTING,
  options: [
    { displayName: "Audience", name: "audience", type: "string", default: "", description: "For whom the draft is written" },
    {
      displayName: "Idea ID",
      name: "ideaId",
      type: "string",
      default: "",
      description: "Write this idea of an earlier call on the same board",
    },
    { displayName: "Language", name: "language", type: "string", default: "", description: "The language of the draft" },
    { displayName: "Length", name: "length", type: "string", default: "", description: "Words such as short, or a number of words" },
    { displayName: "Tone", name: "tone", type: "string", default: "", description: "How the draft sounds" },
    {
      displayName: "Wait (Seconds)",
      name: "waitSeconds",
      type: "number",
      typeOptions: { minValue: 1, maxValue: 3600 },
      default: 300,
      description: "How long to wait for the draft before the node fails",
      displayOptions: { show: { "/operation": ["generate"] } },
    },
    {
      displayName: "Zone Names or IDs",
      name: "zones",
      type: "multiOptions",
      typeOptions: { loadOptionsMethod: "listZones", loadOptionsDependsOn: ["board"] },
      default: [],
      description:
        'Use only these zones. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
    },
  ],
};

/** The fields of the operations on drafts, in the order in which they are shown. */
export const GENERATION_FIELDS: INodeProperties[] = [
  boardLocator(STARTING),
  {
    displayName: "Generation ID",
    name: "generationId",
    type: "string",
    default: "",
    required: true,
    placeholder: "e.g. gen_01hzy...",
    description: "The ID that Start returned, or that an event has",
    ...showFor("generation", "get"),
  },
  {
    displayName: "Kind",
    name: "assetType",
    type: "options",
    default: "post",
    options: [
      { name: "Article", value: "article" },
      { name: "Carousel", value: "carousel" },
      { name: "Newsletter", value: "newsletter" },
      { name: "Podcast", value: "podcast" },
      { name: "Post", value: "post" },
      { name: "Short Video", value: "short_video" },
      { name: "Thread", value: "thread" },
      { name: "Video", value: "video" },
    ],
    description: "What to write",
    ...STARTING,
  },
  {
    displayName: "Subject",
    name: "prompt",
    type: "string",
    typeOptions: { rows: 2 },
    default: "",
    placeholder: "e.g. How to get to the island",
    description: "What the draft is about. What the board is about if empty.",
    ...STARTING,
  },
  zoneLocator({
    name: "saveZone",
    displayName: "Save to Zone",
    description: "The zone in which the draft is saved as a tile. It is not saved if empty.",
    ...STARTING,
  }),
  simplifyField("generation", "generate", "get"),
  OPTIONS,
];
