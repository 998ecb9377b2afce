import { createRandom } from "../output/random-text.ts";
import type { Target } from "./load-job.ts";

/** A request in two forms: its parts for Node's HTTP client, and its bytes for a socket. */
export type Request = {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly bytes: Buffer;
};

/** Returns a function that creates the next request of a mix. The same seed gives the same sequence. */
export function createRequests(targets: readonly Target[], seed: number): () => Request {
  const rotations = targets.map(createRotation);
  const total = targets.reduce((sum, { weight }) => sum + weight, 0);
  const random = createRandom(seed);
  return () => {
    let left = targets.length === 1 ? 0 : random() * total;
    let chosen = 0;
    while (chosen < targets.length - 1 && left >= (targets[chosen]?.weight ?? 0)) left -= targets[chosen++]?.weight ?? 0;
    return (rotations[chosen] as () => Request)();
  };
}

function createRotation(target: Target): () => Request {
  const requests = (target.bodies ?? [undefined]).map((body) => buildRequest(target, body));
  let turn = 0;
  return () => requests[turn++ % requests.length] as Request;
}

function buildRequest({ name, method, path, key, acceptEncoding, isUncached }: Target, body?: string): Request {
  const headers = {
    "X-API-Key": key,
    Accept: "application/json",
    ...(acceptEncoding === undefined ? {} : { "Accept-Encoding": acceptEncoding }),
    ...(isUncached === true ? { "Cache-Control": "no-cache" } : {}),
    ...(body === undefined ? {} : { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) }),
  };
  const lines = Object.entries({ Host: "127.0.0.1", ...headers }).map(([field, value]) => `${field}: ${value}\r\n`);
  return { name, method, path, headers, body, bytes: Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`) };
}
