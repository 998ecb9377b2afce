import type { FeedEvent } from "@tessera-board/sdk";
import type { NodeConfig, Red } from "../red.ts";
import { readText } from "../server.ts";

/** Which events a node sends on, and with what. */
export type EventFilter = {
  readonly events: readonly FeedEvent[];
  /** Undefined: all boards of the key. */
  readonly boardId: string | undefined;
  /** Whether the payload of an event of a tile gets the tile with its text. */
  readonly includeTile: boolean;
};

/** Throws an error with a sentence for the user if no event is chosen. The server checks their names. */
export function readFilter(red: Red, config: NodeConfig): EventFilter {
  const events = Array.isArray(config.events) ? (config.events as FeedEvent[]) : [];
  if (events.length === 0) throw new Error(red._("errors.no-events"));
  return { events, boardId: readText(config, "board") || undefined, includeTile: config.includeTile === true };
}
