import type { NewWork, WorkListener } from "#domain/content/job.ts";

/** Wakes workers and webhook senders after a commit, of this process or of all processes. */
export type Notifier = {
  readonly workers: Set<WorkListener>;
  readonly senders: Set<() => void>;
  notifyWorkers(work: NewWork): void;
  notifySenders(): void;
};

/** Wakes what follows the change feed. */
export type FeedNotifier = {
  /** The sequencer of this process, for the events that it recorded. The others find them by polling. */
  readonly sequencers: Set<() => void>;
  /** The waiting readers of each business. */
  readonly readers: Map<string, Set<() => void>>;
  /** Tells the readers of these businesses, of this process or of all processes, that there are changes. */
  notifyReaders(businessIds: readonly string[]): void;
};

export const createFeedNotifier = (notifyReaders: FeedNotifier["notifyReaders"]): FeedNotifier => ({
  sequencers: new Set(),
  readers: new Map(),
  notifyReaders,
});

export function wakeSequencers({ sequencers }: FeedNotifier): void {
  for (const listener of sequencers) listener();
}

/** Wakes the readers of a business in this process; of all businesses without one. */
export function wakeReaders({ readers }: FeedNotifier, businessId?: string): void {
  const woken = businessId === undefined ? readers.values() : [readers.get(businessId) ?? new Set<() => void>()];
  for (const listeners of woken) for (const listener of listeners) listener();
}

export function wakeWorkers({ workers }: Pick<Notifier, "workers">, work: NewWork): void {
  for (const listener of workers) listener(work);
}

export function wakeSenders({ senders }: Pick<Notifier, "senders">): void {
  for (const listener of senders) listener();
}

/** Adds a listener. Returns the function that removes it. */
export function addListener<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
