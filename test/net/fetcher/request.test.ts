import { expect, it } from "vitest";
import { parseRoutes } from "#net/url.ts";
import { serve, makeFetcher, get, catchIngestError, text, closeServers } from "./support.ts";

closeServers();

it("a request sends User-Agent and Accept, and returns lower-case joined headers", async () => {
  const server = await serve((request, response) => {
    response.setHeader("X-Two", ["a", "b"]).setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(request.headers));
  });
  const answer = await get(server, "/p?q=1#f", {
    accept: "text/html",
    acceptLanguage: "de",
    headers: { "X-Own": "1", Host: "evil", Connection: "x" },
  });
  expect(answer).toMatchObject({ url: `http://127.0.0.1:${server.port}/p?q=1#f`, status: 200, truncated: false });
  expect(answer.headers).toMatchObject({ "x-two": "a, b", "content-type": "application/json" });
  expect(JSON.parse(text(answer.body))).toMatchObject({
    "user-agent": "Tessera/0.1 (+https://example.org)",
    accept: "text/html",
    "accept-language": "de",
    "accept-encoding": "gzip, deflate, br, zstd",
    "x-own": "1",
    host: `127.0.0.1:${server.port}`,
  });
  expect(server.hits).toEqual(["GET /p?q=1"]);
});

it("a request posts a body, and returns an error status like any other", async () => {
  const server = await serve((request, response) => {
    response.statusCode = 503;
    request.pipe(response);
  });
  const answer = await get(server, "/", { method: "POST", headers: { "content-type": "text/plain" }, body: "grüße" });
  expect([answer.status, text(answer.body)]).toEqual([503, "grüße"]);
});

it("a request follows a route with its original host name and address", async () => {
  const server = await serve((request, response) => {
    if (request.url === "/start") response.writeHead(302, { location: "/end" });
    response.end(request.headers.host);
  });
  const routes = parseRoutes(`https://www.youtube.com=http://127.0.0.1:${server.port}`);
  const answer = await makeFetcher([server], { routes }).fetch({
    url: "https://www.youtube.com/start",
    maxBytes: 100,
    signal: AbortSignal.timeout(30_000),
  });
  expect([answer.url, text(answer.body)]).toEqual(["https://www.youtube.com/end", "www.youtube.com"]);
});

it("a request rejects a route to a private target that is not allowed", async () => {
  const server = await serve((_request, response) => response.end());
  const routes = parseRoutes(`https://www.youtube.com=http://127.0.0.1:${server.port}`);
  const fetcher = makeFetcher([], { routes, allow: new Set() });
  const error = await catchIngestError(
    fetcher.fetch({ url: "https://www.youtube.com/", maxBytes: 1, signal: AbortSignal.timeout(30_000) }),
  );
  expect(error).toMatchObject({ code: "address_refused", stage: "fetch" });
  expect(error.message).toContain(`127.0.0.1:${server.port} to FETCH_ALLOW`);
  expect(server.hits).toEqual([]);
});

it("redirects are followed five times, and a sixth fails", async () => {
  const server = await serve((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left > 0) response.writeHead(302, { location: `/${left - 1}` });
    response.end("end");
  });
  expect((await get(server, "/5")).url).toBe(`http://127.0.0.1:${server.port}/0`);
  const error = await catchIngestError(get(server, "/6"));
  expect(error).toMatchObject({ code: "too_many_redirects", stage: "fetch", retryable: false });
  expect(server.hits).toHaveLength(12);
});

it("redirects in a loop fail", async () => {
  const server = await serve((_request, response) => response.writeHead(301, { location: "/" }).end());
  expect(await catchIngestError(get(server))).toMatchObject({ code: "too_many_redirects" });
  expect(server.hits).toHaveLength(6);
});

it("redirects drop the custom headers of a source on another origin", async () => {
  const seen: string[] = [];
  const server = await serve((request, response) => {
    seen.push(
      `${request.url} ${request.headers.authorization ?? "-"} ${request.headers.cookie ?? "-"} ${String(request.headers["x-own"])}`,
    );
    const next: Record<string, string> = { "/1": "/2", "/2": `http://b.test:${server.port}/3` };
    const location = next[request.url ?? ""];
    response.writeHead(location === undefined ? 200 : 302, location === undefined ? {} : { location }).end();
  });
  const headers = { Authorization: "Bearer x", Cookie: "c=1", "X-Own": "1" };
  await makeFetcher([server]).fetch({
    url: `http://a.test:${server.port}/1`,
    headers,
    maxBytes: 10,
    signal: AbortSignal.timeout(30_000),
  });
  expect(seen).toEqual(["/1 Bearer x c=1 1", "/2 Bearer x c=1 1", "/3 - - undefined"]);
});

it.each([
  [301, "GET"],
  [302, "GET"],
  [303, "GET"],
  [307, "POST"],
  [308, "POST"],
])("redirects of status %i turn a POST into %s", async (status, method) => {
  const server = await serve((request, response) => {
    if (request.url === "/") response.writeHead(status, { location: "/next" });
    response.end(String(request.headers["content-type"]));
  });
  const answer = await get(server, "/", { method: "POST", body: "b", headers: { "content-type": "text/plain" } });
  expect(server.hits).toEqual(["POST /", `${method} /next`]);
  expect(text(answer.body)).toBe(method === "POST" ? "text/plain" : "undefined");
});

it("redirects accept a Location in UTF-8, and return a response without Location", async () => {
  const server = await serve((request, response) => {
    if (request.url === "/") response.writeHead(302, { location: Buffer.from("/ü").toString("latin1") });
    else if (request.url === "/%C3%BC") response.statusCode = 304;
    response.end();
  });
  expect((await get(server)).status).toBe(304);
});

it.each(["file:///etc/passwd", "http://", "http://[::1", "ftp://a.test/", "http://u:p@a.test/"])(
  "redirects to %s are rejected",
  async (location) => {
    const server = await serve((_request, response) => response.writeHead(302, { location }).end());
    expect(await catchIngestError(get(server))).toMatchObject({ code: "bad_redirect", retryable: false });
  },
);

it("redirects to a private address are rejected alike, whether the port is open or closed", async () => {
  const inner = await serve((_request, response) => response.end());
  const server = await serve((request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${request.url?.slice(1)}/` }).end(),
  );
  const open = await catchIngestError(get(server, `/${inner.port}`));
  const closed = await catchIngestError(get(server, "/40009"));
  expect(open.code).toBe("address_refused");
  expect(closed.message.replaceAll("40009", "PORT")).toBe(open.message.replaceAll(String(inner.port), "PORT"));
  expect(inner.hits).toEqual([]);
});
