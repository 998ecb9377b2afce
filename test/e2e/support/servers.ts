import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Handler = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

export type LocalServer = {
  readonly url: string;
  /** `host:port`, as in an allow list. */ readonly host: string;
  close(): Promise<void>;
};

/** Starts a server on a free loopback port. */
export async function listen(handler: Handler): Promise<LocalServer> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => handler(request, response, Buffer.concat(parts)));
    request.on("error", () => {});
    response.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type Received = { readonly method: string; readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

export type Receiver = LocalServer & {
  readonly received: readonly Received[];
  /** Returns the requests about one tile, in order of arrival. */
  of(tileId: string): Received[];
};

/** Starts a receiver that records the raw bytes of every request, and responds with 200 or by `answer`. */
export async function openReceiver(answer?: Handler): Promise<Receiver> {
  const received: Received[] = [];
  const server = await listen((request, response, body) => {
    received.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers, body });
    if (answer === undefined) response.end("ok");
    else answer(request, response, body);
  });
  return { ...server, received, of: (tileId) => received.filter(({ body }) => body.includes(tileId)) };
}

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const FILLER = [
  "The harbour was dredged in the spring, after the town had waited for eleven years for the money to be found.",
  "Most of the silt went to the fields behind the old rope works, where the farmers had asked for it since the flood.",
  "Nobody had expected the work to be finished in nine weeks, least of all the engineer who had drawn up the plans.",
];

/** Returns an HTML page that is recognised as an article. */
export const articlePage = (title: string, text = ""): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title></head><body><main><article><h1>${escape(title)}</h1>` +
  `${[text, ...FILLER].map((paragraph) => `<p>${escape(paragraph)}</p>`).join("")}</article></main></body></html>`;

export function sendPage(response: ServerResponse, title: string, text?: string): void {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(articlePage(title, text));
}

/** Calls `check` until it returns a truthy value, which it returns. Throws an error with `what` after `ms`. */
export async function until<T>(
  what: string,
  check: () => T | false | undefined | Promise<T | false | undefined>,
  ms = 100_000,
): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const found = await check();
    if (found) return found;
    if (performance.now() > end) throw new Error(`${what} did not happen within ${ms} ms.`);
    await pause(50);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
