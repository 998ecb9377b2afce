import type { Client } from "@tessera-board/sdk";
import type { EventFilter } from "./filter.ts";

/** What an event node follows, and what it does with an event. */
export type EventSource = {
  readonly client: Client;
  readonly filter: EventFilter;
  readonly report: Reporter;
  /** Sends the event on as a message. */
  readonly emit: (event: FoundEvent) => void;
  /** Aborts when the node is closed. */
  readonly signal: AbortSignal;
};

/** An event; one that is repeated has the same id. */
export type FoundEvent = {
  readonly id: string;
  readonly event: string;
  readonly payload: object;
  readonly at: string;
};

/** Shows the state at the node, and what the user has to know in the log. */
export type Reporter = {
  connected(): void;
  /** The subscription is there, and the server sends nothing. */
  paused(): void;
  /** An error that repeats is in the log once. */
  failed(error: Error): void;
  /** Something that is no error of a call; `key` is that of the message. */
  warn(key: string, values?: Readonly<Record<string, unknown>>): void;
};
