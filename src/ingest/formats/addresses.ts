import type { TileType } from "#domain/content/tile.ts";

const EXTENSIONS: readonly (readonly [TileType, string])[] = [
  ["PDF", "pdf"],
  ["DOCUMENT", "docx doc pptx ppt xlsx xls odt ods odp epub rtf txt md markdown csv tsv"],
  ["IMAGE", "jpg jpeg png gif webp avif svg bmp tif tiff heic heif jxl"],
  ["AUDIO", "mp3 m4a aac ogg oga opus wav flac weba wma aiff aif m4b"],
  ["VIDEO", "mp4 m4v mov webm mkv avi ogv mpg mpeg wmv"],
  ["FEED", "rss atom rdf"],
];
const BY_EXTENSION: ReadonlyMap<string, TileType> = new Map(
  EXTENSIONS.flatMap(([type, words]) => words.split(" ").map((word) => [word, type] as const)),
);

/** Detects the type by the file extension. Returns null for unknown ones, and for wiki pages about files, whose names contain a colon. */
export function detectTypeByExtension(path: string): TileType | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const extension = /^[^:]*\.([A-Za-z0-9]{2,8})$/.exec(name)?.[1];
  return BY_EXTENSION.get(extension?.toLowerCase() ?? "") ?? null;
}

const FEED_PATHS: readonly RegExp[] = [
  /\/(?:feed|feeds|rss|atom|rss2)\/?$/i,
  /\/feed\/(?:rss2?|atom|rdf|podcast)\/?$/i,
  /\/feeds\/posts\/(?:default|full|summary)\/?$/i,
  /\/(?=[^/]*\.xml$)[^/]*(?:feed|rss|atom|podcast)/i,
  /\/index\.xml$/i,
  /\/feed\.json$/i,
];

/** Whether the address looks like that of a feed. */
export function looksLikeFeed({ path, query }: { readonly path: string; readonly query: URLSearchParams }): boolean {
  return FEED_PATHS.some((pattern) => pattern.test(path)) || /^(?:rss2?|atom|rdf)$/i.test(query.get("feed") ?? "");
}
