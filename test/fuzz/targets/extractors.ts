import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FetchRequest } from "#domain/content/fetch.ts";
import { type ClaimedJob, IngestError } from "#domain/content/job.ts";
import { detectKind } from "#ingest/detect.ts";
import { DEFAULT_SOURCE_SETTINGS } from "#ingest/extract/settings.ts";
import { runJob } from "#ingest/run-job.ts";
import { decodeBody } from "#ingest/read/plain/charset.ts";
import { ADDRESS_CASES } from "../../ingest/fixtures/addresses.ts";
import { articlePage } from "../../support/servers/origin.ts";
import { readInline } from "../../wire/support/inline-reader.ts";
import { mutateText, randomJson } from "../support/mutate.ts";
import type { Random } from "../support/random.ts";
import { expectKind, type Target } from "../support/target.ts";

const FOLDERS = ["extract", "formats", "sites"].map((folder) => join(import.meta.dirname, "../../../src/ingest", folder));
const SETTINGS = {
  ...DEFAULT_SOURCE_SETTINGS,
  metaToken: "t",
  redditClientId: "i",
  redditClientSecret: "s",
  youtubeApiKey: "k",
  fxTwitter: true,
};
const TEXTS = [
  "",
  "Words of a post",
  "https://a.example/x",
  "https://www.youtube.com/api/timedtext?v=1",
  "//a.example",
  "not an address",
  "2021-01-01T00:00:00Z",
  "<p>Some <b>words</b></p>",
  "PT1H2M3S",
  "en",
  "WEBVTT\n\n00:00.000 --> 00:01.000\nx",
  "\uD800",
  "\0",
];

/** Every property name that an extractor reads is in its source code as a string. */
function keysOfSources(): readonly string[] {
  const files = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true })).filter(({ name }) =>
    name.endsWith(".ts"),
  );
  const code = files.map((file) => readFileSync(join(file.parentPath, file.name), "utf8")).join("\n");
  return [...new Set([...code.matchAll(/"([A-Za-z_][\w-]{1,30})"/g)].map(([, key]) => key ?? ""))].sort();
}

function createResponse(random: Random, keys: readonly string[]): { readonly body: string; readonly type: string } {
  const json = JSON.stringify(randomJson(random, keys, [...TEXTS, ...keys.slice(0, 40)]));
  switch (random.int(4)) {
    case 0:
      return { body: json, type: "application/json" };
    case 1:
      return { body: mutateText(articlePage(), random), type: "text/html" };
    case 2: {
      const name = random.pick(keys);
      const script = `<script id="${name}" type="application/json">${json}</script><script>var ${name} = ${json};</script>`;
      return {
        body: `<html><head><title>T</title><meta property="og:title" content="x">${script}</head>${articlePage()}</html>`,
        type: "text/html",
      };
    }
    default:
      return {
        body: mutateText(`<?xml version="1.0"?><rss><channel><title>T</title><item><title>x</title></item></channel></rss>`, random),
        type: random.pick(["application/xml", "text/vtt"]),
      };
  }
}

const createJob = (url: URL, attempt: number): ClaimedJob => ({
  id: "job_1",
  businessId: "biz_1",
  boardId: "brd_1",
  tileId: "til_1",
  url: url.href,
  file: null,
  hasPage: false,
  type: detectKind(url).type,
  host: url.host,
  attempt,
  maxAttempts: 3,
  lease: "lease",
});

/** All sources of links, with responses of any type under the property names that are read. */
export const extractors: Target = {
  name: "extractors",
  testRounds: 1_500,
  async open() {
    const keys = keysOfSources();
    return {
      async round(random) {
        const url = new URL(random.pick(ADDRESS_CASES)[0]);
        const fetch = async (request: FetchRequest) => {
          request.signal.throwIfAborted();
          const { body, type } = createResponse(random, keys);
          const status = random.chance(0.85) ? 200 : random.pick([204, 301, 401, 403, 404, 410, 429, 451, 500, 503]);
          return {
            url: request.url,
            status,
            headers: { "content-type": type },
            body: Buffer.from(body).subarray(0, request.maxBytes),
            truncated: false,
          };
        };
        const deps = {
          fetcher: { fetch },
          decode: decodeBody,
          readUpload: async () => null,
          reader: readInline,
          timeoutMs: 20_000,
          settings: SETTINGS,
          now: () => 1_800_000_000_000,
        };
        try {
          const found = await runJob(deps, createJob(url, random.pick([1, 3])), AbortSignal.timeout(20_000));
          if (!found.text.isWellFormed()) throw new Error(`The text of ${url.href} is not well-formed.`);
          for (const { start, end } of found.segments ?? [])
            if (!(start >= 0 && end >= start && end <= found.text.length))
              throw new Error(`A segment of ${url.href} is outside of its text.`);
        } catch (error) {
          expectKind(error, IngestError);
        }
      },
      close: async () => {},
    };
  },
};
