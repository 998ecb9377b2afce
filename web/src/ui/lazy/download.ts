import { fetchWithTimeout, trackedFetch } from "../../api/client/connection.ts";

/** Why a lazy module could not be loaded: the server is unreachable, a newer build is deployed, or the file is broken. */
export type LoadFailure = "offline" | "newer" | "broken";

let filesByModule: Readonly<Record<string, readonly string[]>> | undefined;

/** The files that a module needs beyond those already loaded; see `listLazyFiles` in `vite.config.ts`. */
function getFiles(module: string): readonly string[] {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="lazy-files"]');
  filesByModule ??= JSON.parse(meta?.content ?? "{}") as Record<string, readonly string[]>;
  return filesByModule[module] ?? [];
}

/**
 * Downloads the files of a module into the browser's cache, where the following import finds them. Browsers remember a failed import for
 * the life of the page, but a download can be retried. Rejects if a file cannot be loaded.
 */
export async function downloadFiles(module: string): Promise<void> {
  await Promise.all(
    getFiles(module).map(async (path) => {
      // A cached response does not prove that the server is reachable, so the connection state is not updated.
      const response = await fetchWithTimeout(path);
      if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
      await response.arrayBuffer();
    }),
  );
}

/** Determines why a module could not be loaded. */
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

/** The URL of the entry script. It contains a hash of the build, so it differs between builds. */
const getEntryScript = (page: Document): string | null | undefined => page.querySelector("script[type=module][src]")?.getAttribute("src");
