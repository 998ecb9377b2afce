import { hash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#domain/core/errors/error.ts";
import { formatCommand } from "#runtime/process/program-name.ts";
import { addToVary } from "../response/compress.ts";
import { matchesIfNoneMatch } from "../response/etag.ts";
import { chooseEncoding } from "../response/encoding.ts";
import { sendError } from "../response/errors.ts";

type Encoding = "br" | "gzip" | "identity";
type WebFile = {
  readonly type: string;
  readonly cacheControl: string;
  readonly etag: string;
  readonly bodies: ReadonlyMap<Encoding, Buffer>;
};

/** The files of the built web page by path, in memory. Null if it was not built. */
export type WebPage = ReadonlyMap<string, WebFile> | null;

const INDEX = "/index.html";
const ASSETS = "/assets/";
const REFERENCE_FILES = "/docs/static/";
/** The paths of the page's router. All of them return index.html. */
const PAGES = ["/", "/login", "/claim", "/join", "/b/:boardId", "/settings", "/settings/*"];
/** File names below `/assets/` contain a hash of their content. */
const IMMUTABLE = "public, max-age=31536000, immutable";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json",
};
const ENCODINGS: readonly (readonly [Encoding, string])[] = [
  ["br", ".br"],
  ["gzip", ".gz"],
];

/** No inline scripts, no eval, no other hosts, no framing. */
const HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  "Referrer-Policy": "no-referrer",
  "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Reads the build of `scripts/build-web.ts` in `dist`: the folder named in `.built`. Null if there is no complete build. */
export function readWebPage(dist: string): WebPage {
  try {
    const folder = join(dist, readFileSync(join(dist, ".built"), "utf8"));
    const page = new Map(listFiles(folder).map((path) => [path, readFile(folder, path)]));
    return page.has(INDEX) ? page : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Returns the routes of the page, for 405 responses. */
export const webRoutes = (page: WebPage): { readonly method: "GET"; readonly path: string }[] =>
  listPaths(page).map((path) => ({ method: "GET", path }));

/** Returns the function that says whether a route serves files: those of the page, without its paths, and those of the API reference. */
export function createFileCheck(page: WebPage): (route: string) => boolean {
  const files = new Set(listPaths(page).filter((path) => !PAGES.includes(path)));
  return (route) => files.has(route) || route.startsWith(REFERENCE_FILES);
}

/** Serves the page and its files. Without a build, only `/` is served, with instructions. */
export function addWebPage(app: FastifyInstance, page: WebPage): void {
  for (const url of listPaths(page)) {
    const find = (request: FastifyRequest): WebFile | undefined => {
      if (PAGES.includes(url)) return page?.get(INDEX);
      return page?.get(url.endsWith("*") ? ASSETS + (request.params as { readonly "*": string })["*"] : url);
    };
    app.route({
      method: "GET",
      url,
      handler(request, reply) {
        if (page === null) return sendFallbackPage(reply);
        const file = find(request);
        return file === undefined
          ? sendError(request, reply, new AppError("path_not_found", "Not found."))
          : sendFile(file, request, reply);
      },
    });
  }
}

/**
 * Responds to a browser navigation to an unknown path with 404 and the page, which shows its own message. Returns false if nothing was
 * sent: for programs, below `/api/`, and without a build.
 */
export function sendNotFoundPage(page: WebPage, request: FastifyRequest, reply: FastifyReply): boolean {
  const file = page?.get(INDEX);
  const isNavigation = request.method === "GET" && request.headers["sec-fetch-mode"] === "navigate";
  if (file === undefined || !isNavigation || request.url.startsWith("/api/")) return false;
  sendFile(file, request, reply.code(404).header("X-Error-Code", "path_not_found"));
  return true;
}

/** Lists the paths of the routes. All assets share one route. */
function listPaths(page: WebPage): string[] {
  if (page === null) return ["/"];
  const others = [...page.keys()].filter((path) => path !== INDEX && !path.startsWith(ASSETS));
  return [...PAGES, `${ASSETS}*`, ...others];
}

function sendFile(file: WebFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const encoding = chooseFileEncoding(file, request.headers["accept-encoding"]);
  const etag = `"${file.etag}-${encoding}"`;
  reply
    .headers(HEADERS)
    .header("Cache-Control", file.cacheControl)
    .header("Vary", addToVary(reply.getHeader("Vary")))
    .header("ETag", etag);
  if (matchesIfNoneMatch(etag, request.headers["if-none-match"])) return reply.code(304).send();
  if (encoding !== "identity") reply.header("Content-Encoding", encoding);
  return reply.header("Content-Type", file.type).send(file.bodies.get(encoding));
}

/** Returns the best available encoding that the client accepts, otherwise none. */
const chooseFileEncoding = (file: WebFile, accepted: string | undefined): Encoding =>
  chooseEncoding(
    accepted,
    ENCODINGS.flatMap(([encoding]) => (file.bodies.has(encoding) ? [encoding] : [])),
  ) ?? "identity";

function sendFallbackPage(reply: FastifyReply): FastifyReply {
  return reply.headers(HEADERS).header("Content-Type", TYPES[".html"]).send(fallbackPage());
}

function readFile(folder: string, path: string): WebFile {
  const body = readFileSync(join(folder, path));
  const bodies = new Map<Encoding, Buffer>([["identity", body]]);
  for (const [encoding, ending] of ENCODINGS) {
    const compressed = readIfExists(join(folder, path + ending));
    if (compressed !== null) bodies.set(encoding, compressed);
  }
  return {
    type: TYPES[extname(path)] ?? "application/octet-stream",
    cacheControl: path.startsWith(ASSETS) ? IMMUTABLE : "no-cache",
    etag: hash("sha256", body, "base64url").slice(0, 22),
    bodies,
  };
}

function readIfExists(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Returns the URL paths of the files of a build, without the compressed copies. */
const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll("\\", "/"));

const fallbackPage = (): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tessera</title></head>
<body><h1>Tessera is running</h1>
<p>The web page is not built. Build it with <code>npm start</code> or <code>npm run build:web</code>.</p>
<p>Programs use the API: read the <a href="/docs">API reference</a> or the <a href="/openapi.json">OpenAPI document</a>.</p>
<p>Create an API key on the server: <code>${formatCommand('key create --name "My first key"')}</code></p></body></html>
`;
