import { fetchInTime, watchedFetch } from "../api/client/connection.ts";

/** Why a lazily loaded part of the page is not there. */
export type LoadProblem = "offline" | "newer" | "broken";

let listed: Readonly<Record<string, readonly string[]>> | undefined;

/** The files that a module needs beside those that are loaded already; see `listLazyFiles` in `vite.config.ts`. */
function filesOf(module: string): readonly string[] {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="lazy-files"]');
  listed ??= JSON.parse(meta?.content ?? "{}") as Record<string, readonly string[]>;
  return listed[module] ?? [];
}

/**
 * Downloads the files of a module into the browser's cache, where the import that follows finds them. An import that fails is remembered
 * by the browser as failed for the life of the page; a download can be repeated. Throws when a file can't be had.
 */
export async function downloadFiles(module: string): Promise<void> {
  await Promise.all(
    filesOf(module).map(async (path) => {
      // From the cache it may come without a connection, which must not resume what waits for the server.
      const response = await fetchInTime(path);
      if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
      await response.arrayBuffer();
    }),
  );
}

/** Finds out why a part could not be loaded. */
export async function findProblem(): Promise<LoadProblem> {
  try {
    const response = await watchedFetch("/", { cache: "no-store" });
    if (!response.ok) return "broken";
    const current = new DOMParser().parseFromString(await response.text(), "text/html");
    return entryOf(current) === entryOf(document) ? "broken" : "newer";
  } catch {
    return "offline";
  }
}

/** The address of the script that starts the page. It holds a hash of the whole build, so another build has another one. */
const entryOf = (page: Document): string | null | undefined => page.querySelector("script[type=module][src]")?.getAttribute("src");
