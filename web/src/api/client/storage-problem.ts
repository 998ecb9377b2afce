import { fetchWithTimeout } from "./connection.ts";

const CODES = ["storage_full", "storage_unavailable"];

/** Returns what the server says about its storage; null if it works, or if the server or something before it answers otherwise. */
export async function readStorageProblem(): Promise<string | null> {
  try {
    const response = await fetchWithTimeout("/health/ready", { cache: "no-store" });
    if (response.status !== 503) return null;
    const { error, code } = (await response.json()) as { readonly error?: unknown; readonly code?: unknown };
    return typeof error === "string" && CODES.includes(String(code)) ? error : null;
  } catch {
    // The banner of the connection says that the server can't be reached.
    return null;
  }
}
