import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import type { FetchRequest } from "#domain/content/fetch.ts";
import { IngestError } from "#domain/content/job.ts";
import { createFetcher, type FetcherOptions } from "#net/fetcher.ts";
import { parseAllow, parseRoutes } from "#net/url.ts";
import { CERTIFICATE, KEY } from "./certificate.ts";
import { eventually, startServer, startSocketServer, type TestServer } from "./servers.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const serve = async (listener: RequestListener): Promise<TestServer> => {
  const server = await startServer(listener);
  closers.push(server.close);
  return server;
};

const makeFetcher = (servers: readonly TestServer[], options: Partial<FetcherOptions> = {}) => {
  const allow = parseAllow(servers.map((server) => `127.0.0.1:${server.port},a.test:${server.port},b.test:${server.port}`).join(","));
  const fetcher = createFetcher({
    allow,
    routes: new Map(),
    userAgent: "Tessera/0.1 (+https://example.org)",
    resolve: async () => ["127.0.0.1"],
    ...options,
  });
  closers.push(fetcher.close);
  return fetcher;
};

const get = (server: TestServer, path = "/", request: Partial<FetchRequest> = {}, options: Partial<FetcherOptions> = {}) =>
  makeFetcher([server], options).fetch({
    url: `http://127.0.0.1:${server.port}${path}`,
    maxBytes: 1_000_000,
    signal: AbortSignal.timeout(30_000),
    ...request,
  });

const errorOf = async (work: Promise<unknown>): Promise<IngestError> => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(IngestError);
  return error as IngestError;
};

const text = (body: Uint8Array): string => Buffer.from(body).toString();

describe("a request", () => {
  it("sends User-Agent and Accept, and returns lower-case joined headers", async () => {
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

  it("posts a body, and returns an error status like any other", async () => {
    const server = await serve((request, response) => {
      response.statusCode = 503;
      request.pipe(response);
    });
    const answer = await get(server, "/", { method: "POST", headers: { "content-type": "text/plain" }, body: "grüße" });
    expect([answer.status, text(answer.body)]).toEqual([503, "grüße"]);
  });

  it("follows a route with its original host name and address", async () => {
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

  it("rejects a route to a private target that is not allowed", async () => {
    const server = await serve((_request, response) => response.end());
    const routes = parseRoutes(`https://www.youtube.com=http://127.0.0.1:${server.port}`);
    const fetcher = makeFetcher([], { routes, allow: new Set() });
    const error = await errorOf(fetcher.fetch({ url: "https://www.youtube.com/", maxBytes: 1, signal: AbortSignal.timeout(30_000) }));
    expect(error).toMatchObject({ code: "address_refused", stage: "fetch" });
    expect(error.message).toContain(`127.0.0.1:${server.port} to FETCH_ALLOW`);
    expect(server.hits).toEqual([]);
  });
});

describe("redirects", () => {
  it("are followed five times, and a sixth fails", async () => {
    const server = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` });
      response.end("end");
    });
    expect((await get(server, "/5")).url).toBe(`http://127.0.0.1:${server.port}/0`);
    const error = await errorOf(get(server, "/6"));
    expect(error).toMatchObject({ code: "too_many_redirects", stage: "fetch", retryable: false });
    expect(server.hits).toHaveLength(12);
  });

  it("in a loop fail", async () => {
    const server = await serve((_request, response) => response.writeHead(301, { location: "/" }).end());
    expect(await errorOf(get(server))).toMatchObject({ code: "too_many_redirects" });
    expect(server.hits).toHaveLength(6);
  });

  it("drop the custom headers of a source on another origin", async () => {
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
  ])("of status %i turn a POST into %s", async (status, method) => {
    const server = await serve((request, response) => {
      if (request.url === "/") response.writeHead(status, { location: "/next" });
      response.end(String(request.headers["content-type"]));
    });
    const answer = await get(server, "/", { method: "POST", body: "b", headers: { "content-type": "text/plain" } });
    expect(server.hits).toEqual(["POST /", `${method} /next`]);
    expect(text(answer.body)).toBe(method === "POST" ? "text/plain" : "undefined");
  });

  it("accept a Location in UTF-8, and return a response without Location", async () => {
    const server = await serve((request, response) => {
      if (request.url === "/") response.writeHead(302, { location: Buffer.from("/ü").toString("latin1") });
      else if (request.url === "/%C3%BC") response.statusCode = 304;
      response.end();
    });
    expect((await get(server)).status).toBe(304);
  });

  it.each(["file:///etc/passwd", "http://", "http://[::1", "ftp://a.test/", "http://u:p@a.test/"])(
    "to %s are rejected",
    async (location) => {
      const server = await serve((_request, response) => response.writeHead(302, { location }).end());
      expect(await errorOf(get(server))).toMatchObject({ code: "bad_redirect", retryable: false });
    },
  );

  it("to a private address are rejected alike, whether the port is open or closed", async () => {
    const inner = await serve((_request, response) => response.end());
    const server = await serve((request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${request.url?.slice(1)}/` }).end(),
    );
    const open = await errorOf(get(server, `/${inner.port}`));
    const closed = await errorOf(get(server, "/40009"));
    expect(open.code).toBe("address_refused");
    expect(closed.message.replaceAll("40009", "PORT")).toBe(open.message.replaceAll(String(inner.port), "PORT"));
    expect(inner.hits).toEqual([]);
  });
});

describe("a response body", () => {
  const page = "Seite über Käse. ".repeat(500);
  it.each([
    ["gzip", gzipSync(page)],
    ["x-gzip", gzipSync(page)],
    ["deflate", deflateSync(page)],
    ["deflate", deflateRawSync(page)],
    ["br", brotliCompressSync(page)],
    ["zstd", zstdCompressSync(page)],
    ["GZIP, br", brotliCompressSync(gzipSync(page))],
    ["identity", Buffer.from(page)],
  ])("in %s is decoded", async (coding, bytes) => {
    const server = await serve((_request, response) => response.setHeader("content-encoding", coding).end(bytes));
    const answer = await get(server);
    expect([text(answer.body), answer.truncated]).toEqual([page, false]);
  });

  it.each([
    ["gzip", gzipSync(Buffer.alloc(100_000_000))],
    ["br", brotliCompressSync(Buffer.alloc(100_000_000))],
    ["zstd", zstdCompressSync(Buffer.alloc(100_000_000))],
    ["gzip, gzip", gzipSync(gzipSync(Buffer.alloc(100_000_000)))],
  ])("that is a %s bomb is truncated at the limit", async (coding, bytes) => {
    const server = await serve((_request, response) => response.setHeader("content-encoding", coding).end(bytes));
    const answer = await get(server, "/", { maxBytes: 50_000 });
    expect([answer.body.length, answer.truncated]).toEqual([50_000, true]);
  });

  it("that decodes slowly into nothing is aborted by the signal", async () => {
    const member = gzipSync("");
    const bytes = brotliCompressSync(Buffer.alloc(member.length * 10_000_000, member), { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } });
    const server = await serve((_request, response) => response.setHeader("content-encoding", "gzip, br").end(bytes));
    const startedAt = performance.now();
    const error = await errorOf(get(server, "/", { signal: AbortSignal.timeout(100) }));
    expect(error).toMatchObject({ code: "timeout" });
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });

  it("of exactly the limit is complete, one byte more is truncated", async () => {
    const server = await serve((request, response) => response.end("x".repeat(Number(request.url?.slice(1)))));
    expect(await get(server, "/1000", { maxBytes: 1000 })).toMatchObject({ truncated: false });
    const cut = await get(server, "/1001", { maxBytes: 1000 });
    expect([cut.body.length, cut.truncated]).toEqual([1000, true]);
  });

  it.each(["", "gzip"])("without end (%j) is truncated, and its connection closed at once", async (coding) => {
    const server = await serve((_request, response) => {
      if (coding !== "") response.setHeader("content-encoding", coding);
      // Empty gzip members decode to nothing, so only the number of encoded bytes can limit them.
      const chunk = coding === "" ? Buffer.alloc(65_536, "x") : Buffer.concat(Array.from({ length: 1000 }, () => gzipSync("")));
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", write);
      write();
    });
    const answer = await get(server, "/", { maxBytes: 100_000 });
    expect([answer.body.length, answer.truncated]).toEqual([coding === "" ? 100_000 : 0, true]);
    expect(await eventually(() => server.sockets.size === 0)).toBe(true);
  });

  it("that arrives slowly is aborted by the signal, with its connection", async () => {
    const timers: NodeJS.Timeout[] = [];
    const server = await serve((_request, response) => {
      response.writeHead(200);
      timers.push(setInterval(() => response.write("x"), 20));
    });
    const error = await errorOf(get(server, "/", { signal: AbortSignal.timeout(300) }));
    expect(error).toMatchObject({ code: "timeout", stage: "fetch", retryable: true });
    expect(await eventually(() => server.sockets.size === 0)).toBe(true);
    for (const timer of timers) clearInterval(timer);
  });

  it("that breaks off is a retryable error", async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("half", () => response.destroy());
    });
    expect(await errorOf(get(server))).toMatchObject({ code: "connection_failed", retryable: true });
  });

  it("whose encoding breaks off is returned truncated", async () => {
    const bytes = gzipSync(Buffer.from(Array.from({ length: 20_000 }, (_, index) => index * 7919).join(" ")));
    const server = await serve((_request, response) =>
      response.setHeader("content-encoding", "gzip").end(bytes.subarray(0, bytes.length / 2)),
    );
    const answer = await get(server);
    expect(answer.truncated).toBe(true);
    expect(text(answer.body)).toMatch(/^0 7919 15838 /);
  });

  it.each([
    ["gzip", "plain text"],
    ["br", "plain text, and more of it"],
    ["zstd", "plain text"],
    ["compress", "x"],
    ["gzip, gzip, gzip", "x"],
  ])("that is not in the declared encoding %s is rejected", async (coding, bytes) => {
    const server = await serve((_request, response) => response.setHeader("content-encoding", coding).end(bytes));
    expect(await errorOf(get(server))).toMatchObject({ code: "bad_encoding", retryable: false });
  });

  it("may be empty in any encoding", async () => {
    const server = await serve((_request, response) => response.setHeader("content-encoding", "gzip").end());
    expect(await get(server)).toMatchObject({ truncated: false, body: new Uint8Array(0) });
  });
});

describe("a failure", () => {
  it("to connect is reported as retryable", async () => {
    const server = await startServer((_request, response) => response.end());
    await server.close();
    const error = await errorOf(get(server));
    expect(error).toMatchObject({ code: "connection_failed", retryable: true, message: "Could not connect to 127.0.0.1." });
  });

  it("to resolve the name is reported", async () => {
    const resolve = () => Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" }));
    const error = await errorOf(
      makeFetcher([], { resolve }).fetch({ url: "https://nowhere.test/", maxBytes: 1, signal: AbortSignal.timeout(30_000) }),
    );
    expect(error).toMatchObject({ code: "name_not_found", retryable: false });
    expect(error.message).toContain("nowhere.test");
  });

  it("of a server that never responds ends with the signal", async () => {
    const server = await serve(() => {});
    expect(await errorOf(get(server, "/", { signal: AbortSignal.timeout(200) }))).toMatchObject({ code: "timeout" });
  });

  it("of a hanging lookup ends with the signal", async () => {
    const fetcher = makeFetcher([], { resolve: () => new Promise(() => {}), connectTimeoutMs: 60_000 });
    const work = fetcher.fetch({ url: "https://hangs.test/", maxBytes: 1, signal: AbortSignal.timeout(200) });
    expect(await errorOf(work)).toMatchObject({ code: "timeout" });
  });

  it("by an aborted signal opens no connection", async () => {
    const server = await serve((_request, response) => response.end());
    expect(await errorOf(get(server, "/", { signal: AbortSignal.abort() }))).toMatchObject({ code: "timeout" });
    expect(server.hits).toEqual([]);
  });

  it("of a signal has the reason of the signal", async () => {
    const server = await serve(() => {});
    const reason = new IngestError("stopped", "The server stops.", { stage: "fetch", retryable: true });
    const ender = new AbortController();
    setTimeout(() => ender.abort(reason), 50);
    expect(await errorOf(get(server, "/", { signal: ender.signal }))).toBe(reason);
  });

  it.each([
    ["not HTTP", "SSH-2.0-OpenSSH_9.0\r\n\r\n", "bad_response"],
    ["headers without end", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(200_000)}`, "bad_response"],
    ["a closed connection", "", "connection_failed"],
  ])("of %s is reported", async (_name, bytes, code) => {
    const server = await startSocketServer((socket) => {
      socket.once("data", () => (bytes === "" ? socket.destroy() : socket.write(bytes)));
    });
    closers.push(server.close);
    expect(await errorOf(get(server))).toMatchObject({ code });
  });

  it("of the certificate is reported; TLS verifies the name of the address, also with a route", async () => {
    const names: string[] = [];
    const SNICallback = (name: string, done: (error: Error | null) => void): void => {
      names.push(name);
      done(null);
    };
    const server = createServer({ key: KEY, cert: CERTIFICATE, SNICallback }, (request, response) => response.end(request.headers.host));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closers.push(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    });
    const { port } = server.address() as AddressInfo;
    const ask = (host: string, options: Partial<FetcherOptions> = {}) =>
      makeFetcher([], { allow: parseAllow(`tls.test:${port},other.test:${port}`), ...options }).fetch({
        url: `https://${host}/`,
        maxBytes: 1000,
        signal: AbortSignal.timeout(30_000),
      });
    expect(await errorOf(ask(`tls.test:${port}`))).toMatchObject({ code: "tls_failed", retryable: false });
    const trusted = getCACertificates("default");
    setDefaultCACertificates([...trusted, CERTIFICATE]);
    try {
      expect(text((await ask(`tls.test:${port}`)).body)).toBe(`tls.test:${port}`);
      const routes = parseRoutes(`https://www.youtube.com=https://tls.test:${port}`);
      expect(text((await ask("www.youtube.com", { routes })).body)).toBe("www.youtube.com");
      expect(await errorOf(ask(`other.test:${port}`))).toMatchObject({ code: "tls_failed" });
      expect(names).toEqual(["tls.test", "tls.test", "tls.test", "other.test"]);
    } finally {
      setDefaultCACertificates(trusted);
    }
  });

  it("of invalid headers is reported before sending", async () => {
    const server = await serve((_request, response) => response.end());
    expect(await errorOf(get(server, "/", { headers: { "x-own": "a\r\nb: c" } }))).toMatchObject({ code: "bad_request" });
    expect(server.hits).toEqual([]);
  });
});
