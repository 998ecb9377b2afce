import type { NewWork, WorkListener } from "#domain/content/job.ts";

/** Wakes workers and webhook senders after a commit, of this process or of all processes. */
export type Notifier = {
  readonly workers: Set<WorkListener>;
  readonly senders: Set<() => void>;
  notifyWorkers(work: NewWork): void;
  notifySenders(): void;
};

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
