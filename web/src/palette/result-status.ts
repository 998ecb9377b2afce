import type { SearchResult } from "@tessera/sdk";

/** What is said of a found tile that is not read for answers, or not ready. */
export type ResultStatus = { readonly words: string; readonly tone: "plain" | "accent" | "danger" };

/** Why a found tile is no part of answers now, the most urgent first; null for one that is. */
export function getResultStatus({ status, connected }: Pick<SearchResult, "status" | "connected">): ResultStatus | null {
  if (status === "failed") return { words: "Failed", tone: "danger" };
  if (status === "processing") return { words: "Processing", tone: "accent" };
  return connected === false ? { words: "Not in answers", tone: "plain" } : null;
}
