import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { TileKind } from "../../src/ingest/extract/kind.ts";
import type { SiteReader } from "../../src/ingest/extract/sources/site-reader.ts";
import { type Format, FORMATS } from "../../src/ingest/formats/kinds.ts";
import type { Site } from "../../src/ingest/sites/site.ts";

const ROOT = new URL("../../", import.meta.url);
const SITES = new URL("src/ingest/sites/", ROOT);
const HEADER = "// Written by `npm run sites` from src/ingest/sites and src/ingest/formats/kinds.ts; do not edit.\n";
const TABLE_START = "<!-- Written by `npm run sites`; do not edit. -->\n";
const TABLE_END = "<!-- End of the table. -->\n";

type LoadedSite = { readonly site: Site; /** Such as `video/youtube`. */ readonly folder: string };

const foldersIn = (url: URL): string[] =>
  readdirSync(url, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();

const exportName = (folder: string): string =>
  (folder.split("/").at(-1) ?? "").replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());

/** Every folder `sites/<group>/<site>`, without the registry, which does not list a new one yet. */
async function loadSites(): Promise<readonly LoadedSite[]> {
  const folders = foldersIn(SITES).flatMap((group) => foldersIn(new URL(`${group}/`, SITES)).map((site) => `${group}/${site}`));
  return Promise.all(
    folders.map(async (folder) => {
      const index = fileURLToPath(new URL(`${folder}/index.ts`, SITES));
      const exports = (await import(pathToFileURL(index).href)) as Readonly<Record<string, Site | undefined>>;
      const site = exports[exportName(folder)];
      if (site === undefined) throw new Error(`${index} must export its site as "${exportName(folder)}".`);
      return { site, folder };
    }),
  );
}

const renderRegistry = (sites: readonly LoadedSite[]): string =>
  [
    HEADER.trimEnd(),
    ...sites.map(({ folder }) => `import { ${exportName(folder)} } from "./${folder}/index.ts";`),
    'import type { Site } from "./site.ts";',
    "",
    "export const SITES: readonly Site[] = [",
    ...sites.map(({ folder }) => `  ${exportName(folder)},`),
    "];",
    "",
  ].join("\n");

const renderTypes = (kinds: readonly TileKind[]): string =>
  [
    HEADER,
    "/** Types of tiles; the list may grow, and clients must accept unknown values. */",
    "export const TILE_TYPES = [",
    ...kinds.map(({ type }) => `  "${type}",`),
    "] as const;",
    "export type TileType = (typeof TILE_TYPES)[number];",
    "",
  ].join("\n");

const renderLabels = (kinds: readonly TileKind[]): string =>
  [
    HEADER,
    "/** What each type of tile is called, and the name of its icon. */",
    "export const TILE_KINDS = {",
    ...kinds.map(({ type, label, icon }) => `  ${type}: { label: "${label}", icon: "${icon}" },`),
    "} as const;",
    "",
  ].join("\n");

/** The sources of a reader in order, each once, with the setting that enables or configures it. */
function joinSourceNames({ sources }: SiteReader): string {
  const list = typeof sources === "function" ? sources() : sources;
  const names = list.map(({ name, setting }) => (setting === undefined ? name : `${name} (\`${setting}\`)`));
  return [...new Set(names)].join(", ");
}

/** The sources of a site; readers with the same ones are named together. */
function describeSources({ readers }: Site): string {
  const readersBySources = Map.groupBy(readers, joinSourceNames);
  if (readersBySources.size === 1) return [...readersBySources.keys()].join("");
  return [...readersBySources].map(([names, group]) => `${group.map(({ name }) => name).join(", ")}: ${names}`).join("; ");
}

function renderTable(sites: readonly LoadedSite[], formats: readonly Format[]): string {
  const rows = [
    ...sites.map(({ site }) => ({ ...site, sources: describeSources(site) })).toSorted((a, b) => a.label.localeCompare(b.label, "en")),
    ...formats,
  ];
  return [
    "| link | type | text of the tile | sources, in order |",
    "|---|---|---|---|",
    ...rows.map(({ label, type, text, sources }) => `| ${label} | \`${type}\` | ${text} | ${sources} |`),
    "",
  ].join("\n");
}

function replaceTable(document: string, table: string): string {
  const start = document.indexOf(TABLE_START) + TABLE_START.length;
  const end = document.indexOf(TABLE_END);
  if (start < TABLE_START.length || end < start) throw new Error("docs/links.md has lost the comments around its table of links.");
  return `${document.slice(0, start)}\n${table}\n${document.slice(end)}`;
}

/** Every generated file by its path in the repository, with the content it must have. */
export async function renderSites(): Promise<ReadonlyMap<string, string>> {
  const sites = await loadSites();
  const [text, ...formats] = FORMATS;
  if (text === undefined) throw new Error("src/ingest/formats/kinds.ts lists no formats.");
  const kinds = [text, ...sites.map(({ site }) => site), ...formats];
  const links = readFileSync(new URL("docs/links.md", ROOT), "utf8");
  return new Map([
    ["src/ingest/sites/registry.ts", renderRegistry(sites)],
    ["src/domain/content/tile-types.ts", renderTypes(kinds)],
    ["web/src/text/tile-kinds.ts", renderLabels(kinds)],
    ["docs/links.md", replaceTable(links, renderTable(sites, formats))],
  ]);
}

/** Writes every generated file. */
export async function run(): Promise<void> {
  for (const [path, content] of await renderSites()) writeFileSync(new URL(path, ROOT), content);
}
