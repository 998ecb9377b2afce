import { expect, it } from "vitest";
import { runSources } from "#ingest/extract/sources/run-sources.ts";
import type { Extractor } from "#ingest/extract/extractor.ts";
import { file } from "#ingest/formats/file/file.ts";
import { parseRetryAfter } from "#ingest/extract/fetch/status.ts";
import { webPage } from "#ingest/formats/web-page.ts";
import { ingest } from "./fixtures/ingest-page.ts";

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
