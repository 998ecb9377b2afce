import type { TileProgress, TileSummary } from "@tessera/sdk";

/** How a tile that is processed stands. */
export type StatusLabel = {
  readonly text: string;
  /** Whether nobody works on it now. */
  readonly isWaiting: boolean;
  /** Which try it is, such as "2 of 3"; null for the first. */
  readonly attempt: string | null;
  /** Why the try before failed; null where none did. */
  readonly reason: string | null;
  /** Since when it stands so; for work since it began. */
  readonly since: string;
};

const STAGES: Readonly<Record<string, string>> = {
  fetch: "Fetching",
  read: "Reading",
  transcribe: "Writing down what is said",
  recognise: "Reading the picture",
};

/** Tells how a tile stands by what is known of its work: null for none, undefined where nothing is known yet. */
export function getStatusLabel(
  { error, updatedAt }: Pick<TileSummary, "error" | "updatedAt">,
  progress: TileProgress | null | undefined,
): StatusLabel {
  const reason = error?.message ?? null;
  const attempts = error?.attempts ?? 0;
  // A try that has failed already is told for a moment longer.
  if (progress && progress.attempt > attempts) {
    const { stage, attempt, maxAttempts, startedAt } = progress;
    return {
      text: STAGES[stage] ?? "Working on it",
      isWaiting: false,
      attempt: attempt > 1 ? `${attempt} of ${maxAttempts}` : null,
      reason,
      since: startedAt,
    };
  }
  const isWaiting = progress !== undefined;
  const words = !isWaiting ? "Working on it" : reason === null ? "Waiting for its turn" : "Will try again";
  return { text: words, isWaiting, attempt: null, reason, since: updatedAt };
}
