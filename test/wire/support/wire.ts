import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ClaimedJob, Ingested } from "#domain/content/job.ts";
import { detectKind } from "#ingest/detect.ts";
import { DEFAULT_SOURCE_SETTINGS, type SourceSettings } from "#ingest/extract/settings.ts";
import { runJob } from "#ingest/run-job.ts";
import { decodeBody } from "#ingest/read/plain/charset.ts";
import { createFetcher } from "#net/fetcher.ts";
import { readInline } from "./inline-reader.ts";

/** A request as the server of a source gets it. */
export type Asked = {
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

/** A response. A string or bytes are a 200, with a media type derived from the first bytes. */
export type Answer =
  | string
  | Uint8Array
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Uint8Array }
  /** Never responds. */
  | "hang";

export type Source = (asked: Asked) => Answer | undefined;

/** The time limits of an attempt and of a source, in milliseconds. Sources on loopback answer long before, on a slow day too. */
const ATTEMPT_TIMEOUT_MS = 200_000;
const SOURCE_TIMEOUT_MS = 60_000;

export type Wire = {
  /** Ingests a link; the sources passed to `openWire` are the whole Internet. */
  ingest(
    url: string,
    more?: {
      readonly settings?: Partial<SourceSettings>;
      readonly isLastAttempt?: boolean;
      readonly timeoutMs?: number;
      /** Shorter for sources that hang. */
      readonly sourceTimeoutMs?: number;
    },
  ): Promise<Ingested>;
  /** Every request so far, as `METHOD host/path?query`. */
  readonly asked: readonly Asked[];
  readonly calls: readonly string[];
};

const SAMPLES = join(import.meta.dirname, "../samples");

/** A response as a source sends it, written by hand. The name is a path in `test/wire/samples/`, such as "youtube/youtube.player.json". */
export const sample = (name: string): string => readFileSync(join(SAMPLES, name), "utf8");
export const sampleBytes = (name: string): Uint8Array => readFileSync(join(SAMPLES, name));

const detectContentType = (body: string | Uint8Array): string => {
  const start = typeof body === "string" ? body.trimStart() : "";
  if (/^[{[]/.test(start)) return "application/json; charset=utf-8";
  if (start.startsWith("<?xml") || /^<(?:rss|feed)/.test(start)) return "application/xml; charset=utf-8";
  return start.startsWith("<") ? "text/html; charset=utf-8" : "text/plain; charset=utf-8";
};

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function send(response: ServerResponse, answer: Answer | undefined): void {
  if (answer === "hang") return;
  const whole =
    answer === undefined
      ? { status: 404, body: "Not found" }
      : typeof answer === "string" || answer instanceof Uint8Array
        ? { body: answer }
        : answer;
  const body = whole.body ?? "";
  response.writeHead(whole.status ?? 200, { "content-type": detectContentType(body), ...("headers" in whole ? whole.headers : {}) });
  response.end(body);
}

/** Starts a loopback server that answers for all sources and records what it is asked. */
async function startServer(sources: Readonly<Record<string, Source>>, asked: Asked[]) {
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const host = request.headers.host ?? "";
      const url = new URL(request.url ?? "/", `https://${host}`);
      const one: Asked = {
        host,
        method: request.method ?? "",
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body,
      };
      asked.push(one);
      send(response, sources[host]?.(one));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return server;
}

const createJob = (url: URL, isLastAttempt: boolean): ClaimedJob => ({
  id: "job_1",
  businessId: "biz_1",
  boardId: "brd_1",
  tileId: "til_1",
  url: url.href,
  file: null,
  hasPage: false,
  type: detectKind(url).type,
  host: url.host,
  attempt: isLastAttempt ? 3 : 1,
  maxAttempts: 3,
  lease: "lease",
});

/**
 * A loopback server for all sources, which are named by their host. The real guarded fetcher fetches links; its routes lead
 * those hosts to this server. Other hosts have no address.
 */
export async function openWire(sources: Readonly<Record<string, Source>>): Promise<Wire> {
  const asked: Asked[] = [];
  const server = await startServer(sources, asked);
  const { port } = server.address() as AddressInfo;
  const routes = new Map(
    Object.keys(sources).flatMap((host) => ["https", "http"].map((scheme) => [`${scheme}://${host}`, `http://127.0.0.1:${port}`])),
  );
  const fetcher = createFetcher({
    allow: new Set([`127.0.0.1:${port}`]),
    routes: routes as ReadonlyMap<string, string>,
    userAgent: "Tessera-test",
    resolve: () => Promise.resolve([]),
  });
  onTestFinished(async () => {
    await fetcher.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    asked,
    get calls() {
      return asked.map(({ method, host, path, query }) => `${method} ${host}${path}${query.size > 0 ? `?${query.toString()}` : ""}`);
    },
    ingest(link, { settings = {}, isLastAttempt = true, timeoutMs = ATTEMPT_TIMEOUT_MS, sourceTimeoutMs = SOURCE_TIMEOUT_MS } = {}) {
      const deps = {
        fetcher,
        decode: decodeBody,
        readUpload: () => Promise.resolve(null),
        reader: readInline,
        sourceTimeoutMs,
        timeoutMs,
        settings: { ...DEFAULT_SOURCE_SETTINGS, ...settings },
        now: () => Date.now(),
      };
      return runJob(deps, createJob(new URL(link), isLastAttempt), new AbortController().signal);
    },
  };
}
