import { fetchWithTimeout, trackedFetch } from "../api/client/connection.ts";

/** Why a lazily loaded part of the page is not there. */
export type LoadFailure = "offline" | "newer" | "broken";

let filesByModule: Readonly<Record<string, readonly string[]>> | undefined;

/** The files that a module needs beside those that are loaded already; see `listLazyFiles` in `vite.config.ts`. */
function getFiles(module: string): readonly string[] {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="lazy-files"]');
  filesByModule ??= JSON.parse(meta?.content ?? "{}") as Record<string, readonly string[]>;
  return filesByModule[module] ?? [];
}

/**
 * Downloads the files of a module into the browser's cache, where the import that follows finds them. An import that fails is remembered
 * by the browser as failed for the life of the page; a download can be repeated. Throws when a file can't be had.
 */
export async function downloadFiles(module: string): Promise<void> {
  await Promise.all(
    getFiles(module).map(async (path) => {
      // From the cache it may come without a connection, which must not resume what waits for the server.
      const response = await fetchWithTimeout(path);
      if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
      await response.arrayBuffer();
    }),
  );
}

/** Finds out why a part could not be loaded. */
export async function diagnoseFailure(): Promise<LoadFailure> {
  try {
    const response = await trackedFetch("/", { cache: "no-store" });
    if (!response.ok) return "broken";
    const current = new DOMParser().parseFromString(await response.text(), "text/html");
    return getEntryScript(current) === getEntryScript(document) ? "broken" : "newer";
  } catch {
    return "offline";
  }
}

/** The address of the script that starts the page. It holds a hash of the whole build, so another build has another one. */
const getEntryScript = (page: Document): string | null | undefined => page.querySelector("script[type=module][src]")?.getAttribute("src");
