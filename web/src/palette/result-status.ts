import type { SearchResult } from "@tessera/sdk";

/** The label of a result that is not ready or not used in answers. */
export type ResultStatus = { readonly words: string; readonly tone: "plain" | "accent" | "danger" };

/** Why a result is not used in answers, most urgent first; null if it is used. */
export function getResultStatus({ status, connected }: Pick<SearchResult, "status" | "connected">): ResultStatus | null {
  if (status === "failed") return { words: "Failed", tone: "danger" };
  if (status === "processing") return { words: "Processing", tone: "accent" };
  return connected === false ? { words: "Not in answers", tone: "plain" } : null;
}
