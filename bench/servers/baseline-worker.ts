import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A response that is repeated byte for byte to requests with this `Accept-Encoding`, or without one; `body` is base64. */
export type RecordedResponse = {
  readonly method: string;
  readonly path: string;
  readonly acceptEncoding: string | undefined;
  readonly headers: readonly string[];
  readonly body: string;
};

type PreparedResponse = { readonly headers: string[]; readonly body: Buffer };

const responses = new Map<string, PreparedResponse>();
const toKey = (method = "", path = "", acceptEncoding = ""): string => `${method} ${path} ${acceptEncoding}`;

/** The baseline server: node:http with the same headers and bodies as the service. The first message starts it; each one adds responses. */
export async function serve(request: { readonly responses: readonly RecordedResponse[] }): Promise<{ readonly port: number }> {
  for (const { method, path, acceptEncoding, headers, body } of request.responses) {
    responses.set(toKey(method, path, acceptEncoding), { headers: [...headers], body: Buffer.from(body, "base64") });
  }
  return { port: await (listening ??= listen()) };
}

let listening: Promise<number> | undefined;

function listen(): Promise<number> {
  const server = createServer({ keepAliveTimeout: 72_000 }, handleRequest);
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

/** Reads the request body to its end, as any server must, and ignores it. */
function handleRequest(request: IncomingMessage, response: ServerResponse): void {
  const prepared = responses.get(toKey(request.method, request.url?.split("?", 1)[0], request.headers["accept-encoding"] as string));
  if (prepared === undefined) {
    response.writeHead(404).end();
  } else if (request.method === "GET") {
    response.writeHead(200, prepared.headers).end(prepared.body);
  } else {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => response.writeHead(200, prepared.headers).end(prepared.body));
  }
}
