import { expect, it } from "vitest";
import { sniffContent } from "#ingest/formats/content.ts";
import type { Extractor } from "#ingest/extract/extractor.ts";
import { webPage } from "#ingest/formats/web-page.ts";
import { measureCpuMs } from "../support/cpu-time.ts";
import { bytes, ingest } from "./fixtures/ingest-page.ts";

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
