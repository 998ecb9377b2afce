import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Builds the page from the folder `web` into the folder `target`, which does not exist yet. */
export type Bundle = (web: string, target: string) => Promise<void>;

/** The files and folders that the page is built from, without the output of builds. */
const SOURCES = ["web", "sdk/src", "package-lock.json"];
const EXCLUDED = new Set(["dist", "node_modules"]);
const TEXT = /\.(?:html|js|css|svg|json|txt|webmanifest)$/;
/** The age after which the folder of an unfinished build is removed. No build takes this long. */
const ABANDONED_MS = 3_600_000;

/**
 * Builds the web page if its sources changed since the last build. Returns whether it did. Each build has a folder in `web/dist`, named
 * by the hash of its sources, and `web/dist/.built` contains the name of the current one. Both are created by a rename, so a process that
 * starts meanwhile sees a complete page or none, and a failed build keeps the last one.
 */
export async function buildWeb(root: string, bundle: Bundle = bundleWithVite): Promise<boolean> {
  const dist = join(root, "web/dist");
  const wanted = hashSources(root);
  const target = join(dist, wanted);
  if (isCurrent(dist, wanted)) return false;
  mkdirSync(dist, { recursive: true });
  const own = join(dist, `.building-${randomBytes(8).toString("hex")}`);
  try {
    await bundle(join(root, "web"), own);
    compressFiles(own);
    moveIntoPlace(own, target);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  const temporary = join(dist, `.noting-${randomBytes(8).toString("hex")}`);
  writeFileSync(temporary, wanted);
  renameSync(temporary, join(dist, ".built"));
  removeOldBuilds(dist, wanted);
  return true;
}

/** Whether the last build was made from the current sources. Reading all of them takes less than 0.1 s. */
export function isWebBuilt(root: string): boolean {
  return isCurrent(join(root, "web/dist"), hashSources(root));
}

function isCurrent(dist: string, wanted: string): boolean {
  const mark = join(dist, ".built");
  return existsSync(mark) && readFileSync(mark, "utf8") === wanted && existsSync(join(dist, wanted, "index.html"));
}

/** `npm run build:web`. Prints only when it builds or fails. */
export async function run(): Promise<void> {
  const root = join(import.meta.dirname, "..");
  try {
    await buildWeb(root, async (web, target) => {
      process.stderr.write("Building the web page …\n");
      await bundleWithVite(web, target);
    });
  } catch (error) {
    process.stderr.write(
      `The web page could not be built: ${stripVTControlCharacters(error instanceof Error ? error.message : String(error))}\n`,
    );
    process.exitCode = 1;
  }
}

/** Loads Vite only for a build, since loading takes half a second. */
async function bundleWithVite(web: string, target: string): Promise<void> {
  // With any other value, Vite uses the development build of React, which is five times as large.
  process.env.NODE_ENV = "production";
  const { build } = await import("vite");
  await build({ root: web, configFile: join(web, "vite.config.ts"), logLevel: "silent", build: { outDir: target, emptyOutDir: false } });
}

function hashSources(root: string): string {
  const hash = createHash("sha256");
  for (const file of SOURCES.flatMap((source) => listFiles(join(root, source)))) {
    const bytes = readFileSync(file);
    hash.update(`${relative(root, file)}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

/** Lists all files at or below `path`, in the same order on every machine. */
function listFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !EXCLUDED.has(name))
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}

/** Writes `.br` and `.gz` next to each text file if they are smaller. The server sends them unchanged. */
function compressFiles(folder: string): void {
  for (const file of listFiles(folder).filter((name) => TEXT.test(name))) {
    const bytes = readFileSync(file);
    const compressed = {
      br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
      gz: gzipSync(bytes, { level: 9 }),
    };
    for (const [extension, content] of Object.entries(compressed))
      if (content.length < bytes.length) writeFileSync(`${file}.${extension}`, content);
  }
}

/** Moves a build to its folder. If another process has built the same sources meanwhile, its build is kept, unless it is incomplete. */
function moveIntoPlace(from: string, to: string): void {
  if (existsSync(to) && !existsSync(join(to, "index.html"))) rmSync(to, { recursive: true, force: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(join(to, "index.html"))) throw error;
  }
}

function removeOldBuilds(dist: string, kept: string): void {
  const before = Date.now() - ABANDONED_MS;
  for (const name of readdirSync(dist)) {
    if (name === kept || name === ".built") continue;
    const path = join(dist, name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (!name.startsWith(".") || changed < before) rmSync(path, { recursive: true, force: true });
  }
}
