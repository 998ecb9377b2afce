import type { RequestListener } from "node:http";
import { afterEach, expect } from "vitest";
import type { FetchRequest } from "#domain/content/fetch.ts";
import { IngestError } from "#domain/content/job.ts";
import { createFetcher, type FetcherOptions } from "#net/fetcher.ts";
import { parseAllow } from "#net/url.ts";
import { startServer, type TestServer } from "../servers.ts";

export const closers: (() => Promise<void>)[] = [];

export const serve = async (listener: RequestListener): Promise<TestServer> => {
  const server = await startServer(listener);
  closers.push(server.close);
  return server;
};

export const makeFetcher = (servers: readonly TestServer[], options: Partial<FetcherOptions> = {}) => {
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

export const get = (server: TestServer, path = "/", request: Partial<FetchRequest> = {}, options: Partial<FetcherOptions> = {}) =>
  makeFetcher([server], options).fetch({
    url: `http://127.0.0.1:${server.port}${path}`,
    maxBytes: 1_000_000,
    signal: AbortSignal.timeout(30_000),
    ...request,
  });

export const catchIngestError = async (work: Promise<unknown>): Promise<IngestError> => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(IngestError);
  return error as IngestError;
};

export const text = (body: Uint8Array): string => Buffer.from(body).toString();

/** Registers the hooks that set up and close what the tests of a file share. */
export function closeServers(): void {
  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
  });
}
