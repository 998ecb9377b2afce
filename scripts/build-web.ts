import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** Builds the page in the folder `web` into the folder `target`, which is not there yet. */
export type Bundle = (web: string, target: string) => Promise<void>;

/** What the page is made from; every file below these, but what a build leaves. */
const SOURCES = ["web", "sdk/src", "package-lock.json"];
const LEFT_OUT = new Set(["dist", "node_modules"]);
const TEXT = /\.(?:html|js|css|svg|json|txt|webmanifest)$/;
/** A folder of a build that did not come to its end, after which nobody is at it any more. */
const ABANDONED_MS = 3_600_000;

/**
 * Builds the web page when its sources differ from those of the last build; answers whether it built. Each build has a folder of its
 * own in `web/dist`, named by its sources' hash, and `web/dist/.built` names the one that counts: both come into being by a
 * rename, so that starts at the same time see a whole page or none, and a build that fails leaves the last one in place.
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
  const note = join(dist, `.noting-${randomBytes(8).toString("hex")}`);
  writeFileSync(note, wanted);
  renameSync(note, join(dist, ".built"));
  removeOlder(dist, wanted);
  return true;
}

/** Whether the last build was made from the sources as they are now; reads them all, which takes hundredths of a second. */
export function isWebBuilt(root: string): boolean {
  return isCurrent(join(root, "web/dist"), hashSources(root));
}

function isCurrent(dist: string, wanted: string): boolean {
  const mark = join(dist, ".built");
  return existsSync(mark) && readFileSync(mark, "utf8") === wanted && existsSync(join(dist, wanted, "index.html"));
}

/** `npm run build:web`. Says something only when it takes time or fails. */
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

/** Vite takes half a second to load, so it is loaded only when something is to be built. */
async function bundleWithVite(web: string, target: string): Promise<void> {
  // What else it says makes Vite take the development build of React, which is five times as large.
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

/** Every file at or below `path`, in an order that is the same everywhere. */
function listFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !LEFT_OUT.has(name))
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}

/** Puts `.br` and `.gz` beside each text, where they are smaller: the server sends these as they are. */
function compressFiles(folder: string): void {
  for (const file of listFiles(folder).filter((name) => TEXT.test(name))) {
    const bytes = readFileSync(file);
    const made = {
      br: brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
      gz: gzipSync(bytes, { level: 9 }),
    };
    for (const [ending, compressed] of Object.entries(made))
      if (compressed.length < bytes.length) writeFileSync(`${file}.${ending}`, compressed);
  }
}

/** Another start may have built the same meanwhile: then that one stays, unless it lacks its page. */
function moveIntoPlace(from: string, to: string): void {
  if (existsSync(to) && !existsSync(join(to, "index.html"))) rmSync(to, { recursive: true, force: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(join(to, "index.html"))) throw error;
  }
}

function removeOlder(dist: string, kept: string): void {
  const before = Date.now() - ABANDONED_MS;
  for (const name of readdirSync(dist)) {
    if (name === kept || name === ".built") continue;
    const path = join(dist, name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (!name.startsWith(".") || changed < before) rmSync(path, { recursive: true, force: true });
  }
}
