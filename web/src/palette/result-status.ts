import type { SearchResult } from "@tessera-board/sdk";

/** The label of a result that is not ready or not used in answers. */
export type ResultStatus = { readonly label: string; readonly tone: "plain" | "accent" | "danger" };

/** Why a result is not used in answers, most urgent first; null if it is used. */
export function getResultStatus({ status, connected }: Pick<SearchResult, "status" | "connected">): ResultStatus | null {
  if (status === "failed") return { label: "Failed", tone: "danger" };
  if (status === "processing") return { label: "Processing", tone: "accent" };
  return connected === false ? { label: "Not in answers", tone: "plain" } : null;
}
