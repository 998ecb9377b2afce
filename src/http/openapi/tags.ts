import type { Json } from "./json.ts";

/** The groups of operations, in the order in which they are best read. */
export const TAGS = {
  Boards: "A business has boards; a board contains zones and tiles. One board is the default.",
  Zones: "Groups of tiles on a board. Tiles of a zone are used to answer questions while the zone is connected to chat.",
  Tiles: "Notes, links and files. A link or file is read in the background: its tile is processing, then ready or failed.",
  Inbound: "Creates tiles from other systems: with a key that may do nothing else, or by an inbound address.",
  Ask: "Questions and searches over the connected content of a board. Answers cite passages word for word.",
  Changes: "What happened to tiles and generations, in order: for programs that follow a board or mirror it.",
  Webhooks: "Addresses that a program registers for itself, to be sent events as they happen. The key must be made with webhooks.",
  Generation: "Texts and ideas that are written from the content of a board.",
  "API key": "What the key of the call is allowed to do.",
  People: "Accounts, sessions and invitations of people.",
  "Settings: API keys": "For admins and owners.",
  "Settings: inbound addresses": "URLs for senders that can't set a header. For all members.",
  "Settings: webhook": "Where events are sent, and what became of each. For owners.",
  "Settings: backups": "Backups of the whole install. For owners.",
  "Settings: business": "The audit log, the models, and boards as files. For admins and owners.",
} as const;

export type Tag = keyof typeof TAGS;

export const describeTags = (): readonly Json[] => Object.entries(TAGS).map(([name, description]) => ({ name, description }));
