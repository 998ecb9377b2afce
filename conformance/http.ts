import { Agent, request as httpRequest } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { Agent as TlsAgent, request as httpsRequest } from "node:https";

export type Reply = {
  readonly method: string;
  /** Path and query of the request. */
  readonly path: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; undefined if it is something else. */
  readonly json: unknown;
  readonly milliseconds: number;
};

export type Request = {
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, with the media type in `headers`, otherwise `application/json`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Overrides the API key of the run; null sends none. */
  readonly key?: string | null;
};

export type Http = {
  call(method: string, path: string, request?: Request): Promise<Reply>;
  close(): void;
};

const TIMEOUT_MS = 30_000;
const CHUNK = 64 * 1024;

/** Sends raw requests, without retries and redirects, so that checks see the exact responses. */
export function createHttp(baseUrl: string, ownKey: string): Http {
  const base = new URL(baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`);
  const secure = base.protocol === "https:";
  const agent = secure ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const open = secure ? httpsRequest : httpRequest;

  function call(method: string, path: string, request: Request = {}): Promise<Reply> {
    const payload = encodeBody(request);
    const shown = path + formatQuery(request.query);
    const key = request.key === undefined ? ownKey : request.key;
    const headers: Record<string, string> = {
      ...(key !== null && { "x-api-key": key }),
      ...(payload && { "content-type": "application/json", "content-length": String(payload.length) }),
      ...request.headers,
    };
    const started = performance.now();

    return new Promise((resolve, reject) => {
      let answered = false;
      const outgoing = open(new URL(shown.slice(1), base), { method, headers, agent, timeout: TIMEOUT_MS });
      outgoing.on("timeout", () => outgoing.destroy(new Error(`${method} ${shown}: no response in ${TIMEOUT_MS / 1000} s`)));
      // A server may reject a large body early and close the connection. Errors after the response has started are ignored.
      outgoing.on("error", (error) => answered || reject(new Error(`${method} ${shown}: ${error.message}`)));
      outgoing.on("response", (incoming) => {
        answered = true;
        const parts: Buffer[] = [];
        const finish = (): void => {
          const text = Buffer.concat(parts).toString("utf8");
          const { statusCode = 0, headers: received } = incoming;
          resolve({
            method,
            path: shown,
            status: statusCode,
            headers: received,
            text,
            json: parseJson(text),
            milliseconds: performance.now() - started,
          });
        };
        incoming.on("data", (part: Buffer) => parts.push(part));
        incoming.on("end", finish);
        incoming.on("error", finish);
      });
      void write(outgoing, payload, () => answered);
    });
  }

  return { call, close: () => agent.destroy() };
}

/** Writes in chunks until a response arrives, so that the early rejection of a huge body is not lost to a reset. */
async function write(outgoing: ReturnType<typeof httpRequest>, payload: Buffer | null, answered: () => boolean): Promise<void> {
  const length = payload?.length ?? 0;
  for (let at = 0; payload && at < length; at += CHUNK) {
    if (answered() || outgoing.destroyed) return;
    outgoing.write(payload.subarray(at, at + CHUNK));
    if (at === 0 && length > 8 * CHUNK) await pause(100);
    while (outgoing.writableNeedDrain && !answered() && !outgoing.destroyed) await pause(2);
  }
  outgoing.end();
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function encodeBody(request: Request): Buffer | null {
  if (request.raw !== undefined) return Buffer.from(request.raw as string);
  return request.body === undefined ? null : Buffer.from(JSON.stringify(request.body));
}

function formatQuery(query: Request["query"] = {}): string {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
