import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect, it } from "vitest";
import { IngestError } from "#domain/content/job.ts";
import type { FetcherOptions } from "#net/fetcher.ts";
import { parseAllow, parseRoutes } from "#net/url.ts";
import { CERTIFICATE, KEY } from "../certificate.ts";
import { startServer, startSocketServer } from "../servers.ts";
import { closers, serve, makeFetcher, get, catchIngestError, text, closeServers } from "./support.ts";

closeServers();

it("a failure to connect is reported as retryable", async () => {
  const server = await startServer((_request, response) => response.end());
  await server.close();
  const error = await catchIngestError(get(server));
  expect(error).toMatchObject({ code: "connection_failed", retryable: true, message: "Could not connect to 127.0.0.1." });
});

it("a failure to resolve the name is reported", async () => {
  const resolve = () => Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" }));
  const error = await catchIngestError(
    makeFetcher([], { resolve }).fetch({ url: "https://nowhere.test/", maxBytes: 1, signal: AbortSignal.timeout(30_000) }),
  );
  expect(error).toMatchObject({ code: "name_not_found", retryable: false });
  expect(error.message).toContain("nowhere.test");
});

it("a failure of a server that never responds ends with the signal", async () => {
  const server = await serve(() => {});
  expect(await catchIngestError(get(server, "/", { signal: AbortSignal.timeout(200) }))).toMatchObject({ code: "timeout" });
});

it("a failure of a hanging lookup ends with the signal", async () => {
  const fetcher = makeFetcher([], { resolve: () => new Promise(() => {}), connectTimeoutMs: 60_000 });
  const work = fetcher.fetch({ url: "https://hangs.test/", maxBytes: 1, signal: AbortSignal.timeout(200) });
  expect(await catchIngestError(work)).toMatchObject({ code: "timeout" });
});

it("a failure by an aborted signal opens no connection", async () => {
  const server = await serve((_request, response) => response.end());
  expect(await catchIngestError(get(server, "/", { signal: AbortSignal.abort() }))).toMatchObject({ code: "timeout" });
  expect(server.hits).toEqual([]);
});

it("a failure of a signal has the reason of the signal", async () => {
  const server = await serve(() => {});
  const reason = new IngestError("stopped", "The server stops.", { stage: "fetch", retryable: true });
  const ender = new AbortController();
  setTimeout(() => ender.abort(reason), 50);
  expect(await catchIngestError(get(server, "/", { signal: ender.signal }))).toBe(reason);
});

it.each([
  ["not HTTP", "SSH-2.0-OpenSSH_9.0\r\n\r\n", "bad_response"],
  ["headers without end", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(200_000)}`, "bad_response"],
  ["a closed connection", "", "connection_failed"],
])("a failure of %s is reported", async (_name, bytes, code) => {
  const server = await startSocketServer((socket) => {
    socket.once("data", () => (bytes === "" ? socket.destroy() : socket.write(bytes)));
  });
  closers.push(server.close);
  expect(await catchIngestError(get(server))).toMatchObject({ code });
});

it("a failure of the certificate is reported; TLS verifies the name of the address, also with a route", async () => {
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
  expect(await catchIngestError(ask(`tls.test:${port}`))).toMatchObject({ code: "tls_failed", retryable: false });
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, CERTIFICATE]);
  try {
    expect(text((await ask(`tls.test:${port}`)).body)).toBe(`tls.test:${port}`);
    const routes = parseRoutes(`https://www.youtube.com=https://tls.test:${port}`);
    expect(text((await ask("www.youtube.com", { routes })).body)).toBe("www.youtube.com");
    expect(await catchIngestError(ask(`other.test:${port}`))).toMatchObject({ code: "tls_failed" });
    expect(names).toEqual(["tls.test", "tls.test", "tls.test", "other.test"]);
  } finally {
    setDefaultCACertificates(trusted);
  }
});

it("a failure of invalid headers is reported before sending", async () => {
  const server = await serve((_request, response) => response.end());
  expect(await catchIngestError(get(server, "/", { headers: { "x-own": "a\r\nb: c" } }))).toMatchObject({ code: "bad_request" });
  expect(server.hits).toEqual([]);
});
