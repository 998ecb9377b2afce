import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An answer to be repeated byte for byte; `body` is base64. */
export type Answer = { readonly method: string; readonly path: string; readonly headers: readonly string[]; readonly body: string };

type Ready = { readonly headers: string[]; readonly body: Buffer };

const answers = new Map<string, Ready>();

/** The peer: node:http alone, sending the same header lines and the same bytes as the service; first order starts it, each one adds answers. */
export async function serve(order: { readonly answers: readonly Answer[] }): Promise<{ readonly port: number }> {
  for (const { method, path, headers, body } of order.answers) {
    answers.set(`${method} ${path}`, { headers: [...headers], body: Buffer.from(body, "base64") });
  }
  return { port: await (listening ??= listen()) };
}

let listening: Promise<number> | undefined;

function listen(): Promise<number> {
  const server = createServer({ keepAliveTimeout: 72_000 }, answer);
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

/** A body is read to its end, as any server must, and then left alone. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const ready = answers.get(`${request.method} ${request.url?.split("?", 1)[0]}`);
  if (ready === undefined) {
    response.writeHead(404).end();
  } else if (request.method === "GET") {
    response.writeHead(200, ready.headers).end(ready.body);
  } else {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => response.writeHead(200, ready.headers).end(ready.body));
  }
}
