import { describe, expect, it } from "vitest";
import type { FetchedResource, FetchRequest } from "#domain/content/fetch.ts";
import type { ClaimedJob } from "#domain/content/job.ts";
import { sniffContent } from "#ingest/formats/content.ts";
import { runSources } from "#ingest/extract/sources/run-sources.ts";
import type { Extractor } from "#ingest/extract/extractor.ts";
import { file } from "#ingest/formats/file/file.ts";
import { parseRetryAfter } from "#ingest/extract/fetch/status.ts";
import { DEFAULT_SOURCE_SETTINGS } from "#ingest/extract/settings.ts";
import { webPage } from "#ingest/formats/web-page.ts";
import { runJob } from "#ingest/run-job.ts";
import { measureCpuMs } from "../support/cpu-time.ts";
import { readInline } from "../wire/support/inline-reader.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");
const job = (url: string): ClaimedJob => ({
  id: "job_1",
  businessId: "biz_1",
  boardId: "brd_1",
  tileId: "til_1",
  url,
  file: null,
  type: "WEBSITE",
  host: "example.com",
  attempt: 1,
  maxAttempts: 3,
  lease: "a",
});
const html = `<title>Lens</title><p>${"Some words of a page, which are many. ".repeat(20)}</p>`;

function ingest(
  answer: Partial<Omit<FetchedResource, "body">> & { readonly body?: string },
  url = "https://example.com/a",
  extractors: readonly Extractor[] = [webPage],
) {
  const requests: FetchRequest[] = [];
  const fetcher = {
    fetch: async (request: FetchRequest): Promise<FetchedResource> => {
      requests.push(request);
      return {
        url: request.url,
        status: 200,
        headers: { "content-type": "text/html" },
        truncated: false,
        ...answer,
        body: bytes(answer.body ?? html),
      };
    },
  };
  const deps = {
    fetcher,
    decode: (body: Uint8Array) => ({ text: Buffer.from(body).toString("utf8"), charset: "utf-8" }),
    readUpload: () => Promise.resolve(null),
    timeoutMs: 30_000,
    reader: readInline,
    settings: DEFAULT_SOURCE_SETTINGS,
    now: () => Date.now(),
    extractors,
  };
  return runJob(deps, job(url), new AbortController().signal);
}

describe("pages", () => {
  it("a page becomes text with its title and metadata", async () => {
    await expect(ingest({})).resolves.toMatchObject({
      type: "WEBSITE",
      title: "Lens",
      text: expect.stringContaining("Some words"),
      metadata: { wordCount: 160 },
    });
  });

  it("a page keeps the type of its address, with the subtype", async () => {
    await expect(ingest({}, "https://www.reddit.com/r/optics/")).resolves.toMatchObject({
      type: "REDDIT",
      metadata: { subtype: "SUBREDDIT" },
    });
  });

  it("a page gets the type of a redirect target", async () => {
    await expect(ingest({ url: "https://www.reddit.com/r/optics/" })).resolves.toMatchObject({ type: "REDDIT" });
  });

  it("a page keeps its type after a redirect to a login page", async () => {
    await expect(ingest({ url: "https://www.reddit.com/login" }, "https://www.reddit.com/r/optics/")).resolves.toMatchObject({
      type: "REDDIT",
    });
  });

  it("a page is handed to a more specific extractor", async () => {
    const videos: Extractor = {
      name: "videos",
      accepts: (kind) => kind.type === "VIMEO",
      extract: async ({ kind, url }) => ({ type: kind.type, title: url.href, text: "words", metadata: {}, warnings: [] }),
    };
    await expect(ingest({ url: "https://vimeo.com/123" }, "https://bit.ly/x", [videos, webPage])).resolves.toMatchObject({
      type: "VIMEO",
      title: "https://vimeo.com/123",
    });
  });

  it("a page has a warning if it was truncated, as files and transcripts have", async () => {
    const cut = (what: string) => [{ code: "truncated", message: `The ${what} is very long; only its beginning was kept.` }];
    await expect(ingest({ truncated: true })).resolves.toMatchObject({ warnings: cut("page") });
    const text = { truncated: true, headers: { "content-type": "text/plain" }, body: "Some words. ".repeat(50) };
    await expect(ingest(text)).resolves.toMatchObject({ warnings: cut("text") });
    await expect(ingest(text, "https://example.com/notes.txt", [file, webPage])).resolves.toMatchObject({ warnings: cut("file") });
    const cues = Array.from({ length: 20_000 }, (_, n) => ({
      startMs: n * 1_000,
      endMs: n * 1_000 + 900,
      text: `${n} ${"word ".repeat(20)}`,
    }));
    const video: Extractor = {
      name: "video",
      accepts: (kind) => kind.type === "VIMEO",
      extract: runSources({
        missing: { code: "no_transcript", message: "Nothing is said." },
        sources: [{ name: "all", run: async () => ({ title: "Film", cues, isComplete: true }) }],
      }),
    };
    await expect(ingest({}, "https://vimeo.com/123", [video])).resolves.toMatchObject({ warnings: cut("transcript") });
  });

  it("a page at an address with a file extension is still a page", async () => {
    await expect(ingest({}, "https://example.com/report.pdf")).resolves.toMatchObject({ type: "WEBSITE" });
  });

  it("a page without text fails with advice", async () => {
    await expect(ingest({ body: "<html><body><img src=a></body></html>" })).rejects.toMatchObject({
      code: "no_text",
      retryable: false,
      message: expect.stringContaining("paste"),
    });
  });
});

describe("HTTP errors", () => {
  it.each([
    [404, "not_found", false],
    [410, "not_found", false],
    [401, "forbidden", false],
    [403, "forbidden", false],
    [400, "http_error", false],
    [429, "rate_limited", true],
    [500, "server_error", true],
    [503, "server_error", true],
  ])("the HTTP error %i becomes %s", async (status, code, retryable) => {
    await expect(ingest({ status })).rejects.toMatchObject({ name: "IngestError", code, retryable, stage: "fetch" });
  });

  it("an HTTP error has a message with advice", async () => {
    await expect(ingest({ status: 404 })).rejects.toThrow("The page does not exist (404). Check the link.");
  });

  it("an HTTP error has the Retry-After time of the site", async () => {
    await expect(ingest({ status: 429, headers: { "retry-after": "17" } })).rejects.toMatchObject({ retryAfterSeconds: 17 });
    const now = Date.UTC(2024, 0, 1);
    expect(parseRetryAfter("Mon, 01 Jan 2024 00:01:00 GMT", now)).toBe(60);
    expect(parseRetryAfter("Mon, 01 Jan 2020 00:01:00 GMT", now)).toBe(0);
    expect(parseRetryAfter("99999999", now)).toBe(3_600);
    expect(parseRetryAfter("soon", now)).toBeUndefined();
    expect(parseRetryAfter(undefined, now)).toBeUndefined();
  });
});

describe("kinds of content", () => {
  it.each([
    ["text/plain", "just words"],
    ["application/json", '{"a":1}'],
    ["text/csv", "a,b\n1,2"],
    ["application/rss+xml", "<rss><channel></channel></rss>"],
  ])("content of type %s is kept unchanged", async (type, body) => {
    await expect(ingest({ headers: { "content-type": type }, body })).resolves.toMatchObject({
      type: "WEBSITE",
      text: body,
      title: null,
    });
  });

  it.each([
    ["PDF", "%PDF-1.7 x", "text/html"],
    ["PDF", "whatever", "application/pdf"],
    ["DOCUMENT", "PK\u0003\u0004 zip", "text/plain"],
    ["IMAGE", "\u0089PNG\r\n", "application/octet-stream"],
    ["AUDIO", "ID3 x", "text/html"],
    ["VIDEO", "\0\0\0\u0018ftypisom", ""],
    ["WEBSITE", "\0\u0001\u0002\u0003", "text/html"],
  ])("content is detected as %s by its first bytes before its media type", (type, body, label) => {
    expect(sniffContent(bytes(body), label)).toMatchObject({ form: "file", type });
  });

  it.each([
    ["<!-- a --> <!doctype html>", undefined],
    ["\u00EF\u00BB\u00BF<html>", "application/octet-stream"],
    ["\u00FF\u00FE<\0h\0t\0m\0l\0>\0", "text/html"],
    ["<html><body>not found", "application/pdf"],
  ])("content that looks like a page is one: %j", (body, label) => {
    expect(sniffContent(bytes(body), label)).toEqual({ form: "html" });
  });

  it("content that is not supported is named in the error", async () => {
    await expect(ingest({ body: "%PDF-1.4" })).rejects.toMatchObject({
      code: "unsupported_content",
      message: expect.stringMatching(/^This is a PDF;/),
    });
  });

  it.each([
    ["text/html", '<?xml version="1.0"?><!-- x --><rss version="2.0"><channel/></rss>'],
    ["application/xml", '<feed xmlns="http://www.w3.org/2005/Atom"></feed>'],
    ["application/json", '{"version": "https://jsonfeed.org/version/1.1"}'],
    ["text/xml", '<!DOCTYPE rss PUBLIC "a" "b"><rss></rss>'],
  ])("content that is a feed is detected despite the media type %s, and handed on with the response", async (type, body) => {
    expect(sniffContent(bytes(body), type)).toEqual({ form: "feed" });
    const feeds: Extractor = {
      name: "feeds",
      accepts: (kind) => kind.type === "FEED",
      extract: async ({ kind, fetched }) => ({
        type: kind.type,
        title: null,
        text: Buffer.from(fetched?.body ?? []).toString(),
        metadata: {},
        warnings: [],
      }),
    };
    await expect(ingest({ headers: { "content-type": type }, body }, undefined, [feeds, webPage])).resolves.toMatchObject({
      type: "FEED",
      text: body,
    });
  });

  it.each([
    ["image/svg+xml", "<svg></svg>", { form: "file", type: "IMAGE" }],
    ["application/vnd.ms-excel", "a,b", { form: "text" }],
    ["video/mp2t", "export const a = 1;", { form: "text" }],
    ["application/xml", "<note>words</note>", { form: "text" }],
    ["text/plain", "<rss></rss>", { form: "text" }],
  ])("content with the media type %s is detected by its content", (type, body, expected) => {
    expect(sniffContent(bytes(body), type)).toMatchObject(expected);
  });

  it("content is detected quickly, however many comments it starts with", () => {
    expect(measureCpuMs(() => sniffContent(bytes(`${"<!---->".repeat(140)}x`), "text/html"))).toBeLessThan(1_000);
  });
});
