import type { IncomingMessage, ServerResponse } from "node:http";
import { type LocalServer, listen, sendPage } from "../../e2e/support/servers.ts";

/** How many hosts send slowly. At most `INGEST_PER_HOST` links of each are read at once. */
const SLOW_HOSTS = 32;
export const SHARED_HOST = "shared.example";

const slowHost = (n: number): string => `slow-${n % SLOW_HOSTS}.example`;

/** The ways in which a host never ends its response. */
const SLOW_WAYS: readonly ((response: ServerResponse) => void)[] = [
  (response) => drip(response.writeHead(200, { "content-type": "text/html" })),
  (response) => drip(response.writeHead(200, { "content-type": "text/html", "content-length": 1_000_000 })),
  () => {},
  (response) => response.writeHead(302, { location: `http://${slowHost(0)}/redirected` }).end(),
];

export type SlowOrigin = LocalServer & {
  /** The settings that send the requests for all hosts to this origin. */
  readonly environment: Record<string, string>;
  /** Slow transfers that run now, and those that have ended. */
  readonly slow: { running: number; ended: number };
  /** The paths of requests to `SHARED_HOST`, in order. */
  readonly sharedPaths: readonly string[];
};

/** Sends a byte a second. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write("x"), 1_000);
  response.on("close", () => clearInterval(timer));
  response.write("<");
}

/** Starts an origin for many host names: slow ones, a shared one that answers after a while, and others that answer at once. */
export async function openSlowOrigin(quickHosts: readonly string[]): Promise<SlowOrigin> {
  const slow = { running: 0, ended: 0 };
  const sharedPaths: string[] = [];
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const host = request.headers.host ?? "";
    const [, n] = /^slow-(\d+)\./.exec(host) ?? [];
    if (n === undefined && host !== SHARED_HOST) return sendPage(response, `Page of ${host}`);
    if (host === SHARED_HOST) {
      sharedPaths.push(request.url ?? "");
      setTimeout(() => sendPage(response, "A page of many"), 100);
      return;
    }
    slow.running++;
    response.on("close", () => {
      slow.running--;
      // A redirect ends by itself.
      if (!response.writableFinished) slow.ended++;
    });
    SLOW_WAYS[request.url === "/redirected" ? 0 : Number(n) % SLOW_WAYS.length]?.(response);
  };
  const server = await listen(serve);
  const hosts = [...Array.from({ length: SLOW_HOSTS }, (_, n) => slowHost(n)), SHARED_HOST, ...quickHosts];
  const environment = { FETCH_ALLOW: server.host, FETCH_ROUTES: hosts.map((host) => `http://${host}=${server.url}`).join(",") };
  return { ...server, environment, slow, sharedPaths };
}

/** Returns links of all slow hosts in turn. */
export const slowLinks = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, n) => `http://${slowHost(n)}/${name}/${n}`);
