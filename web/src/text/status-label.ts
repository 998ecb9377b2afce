import type { TileProgress, TileSummary } from "@tessera-board/sdk";

/** The status of a tile that is processing. */
export type StatusLabel = {
  readonly text: string;
  /** Whether no worker is processing it. */
  readonly isWaiting: boolean;
  /** The attempt, such as "2 of 3"; null for the first. */
  readonly attempt: string | null;
  /** The error of the previous attempt, or null. */
  readonly reason: string | null;
  /** The start of the current state; the start of the job while it is running. */
  readonly since: string;
};

/** Whether another attempt can help at once: an address that was refused stays refused until the operator allows it. */
export const canRetryNow = (error: TileSummary["error"]): boolean => error?.code !== "address_refused";

const STAGES: Readonly<Record<string, string>> = {
  fetch: "Fetching",
  read: "Reading",
  transcribe: "Transcribing",
  recognise: "Recognising text",
};

/** Builds the status label. `progress` is null if no job runs, undefined if unknown. */
export function getStatusLabel(
  { error, updatedAt }: Pick<TileSummary, "error" | "updatedAt">,
  progress: TileProgress | null | undefined,
): StatusLabel {
  const reason = error?.message ?? null;
  const attempts = error?.attempts ?? 0;
  // Progress of a failed attempt may still arrive after its error.
  if (progress && progress.attempt > attempts) {
    const { stage, attempt, maxAttempts, startedAt } = progress;
    return {
      text: STAGES[stage] ?? "Processing",
      isWaiting: false,
      attempt: attempt > 1 ? `${attempt} of ${maxAttempts}` : null,
      reason,
      since: startedAt,
    };
  }
  const isWaiting = progress !== undefined;
  const text = !isWaiting ? "Processing" : reason === null ? "Queued" : "Waiting to retry";
  return { text, isWaiting, attempt: null, reason, since: updatedAt };
}
