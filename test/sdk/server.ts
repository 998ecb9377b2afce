import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type Seen = { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: unknown };
export type Answer = { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown };

export type TinyServer = AsyncDisposable & { readonly url: string; readonly seen: readonly Seen[] };

/** A server on a free port that responds to each request by the function; a string body is sent unchanged. */
export async function serve(answer: (request: Seen) => Answer): Promise<TinyServer> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request.setEncoding("utf8")) text += String(part);
    const { method = "", url = "", headers } = request;
    const noted = { method, url, headers, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
    seen.push(noted);
    const { status = 200, headers: more, body } = answer(noted);
    response.writeHead(status, { "content-type": "application/json", ...more });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
