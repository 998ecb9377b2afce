import { expect, it } from "vitest";
import { type Asked, openWire, sample } from "../support/wire.ts";
import { type Part, RATE_LIMITED, BROKEN_RESPONSES } from "../support/broken-responses.ts";

const ID = "0123456789abcdef0123456789abcdef";
const LINK = `https://www.loom.com/share/Lens-demo-${ID}?sid=1`;
const VIDEO = {
  __typename: "RegularUserVideo",
  id: ID,
  name: "Lens demo",
  description: "How the lens turns.",
  createdAt: "2026-03-02T09:00:00.000Z",
  owner: { display_name: "Ada Harbour" },
  video_properties: { duration: 93 },
};
const DETAILS = {
  source_url: "https://cdn.loom.example/t.json?Signature=x",
  captions_source_url: "https://cdn.loom.example/t.vtt?Signature=x",
};
const getOperationName = ({ body }: Asked): string => (JSON.parse(body) as { operationName: string }).operationName;
const answerTo = (asked: Asked, video: unknown, transcript: unknown): string =>
  JSON.stringify({ data: getOperationName(asked) === "GetVideoSSR" ? { getVideo: video } : { fetchVideoTranscript: transcript } });

const open = (more: { oembed?: Part; graphql?: Part; cdn?: Part; page?: Part } = {}) =>
  openWire({
    "www.loom.com": (asked) => {
      if (asked.path === "/v1/oembed") return (more.oembed ?? (() => sample("video/loom.oembed.json")))(asked);
      if (asked.path === "/graphql") return (more.graphql ?? ((one) => answerTo(one, VIDEO, DETAILS)))(asked);
      return more.page?.(asked);
    },
    "cdn.loom.example":
      more.cdn ?? (() => "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHere is the lens.\n\n00:00:02.000 --> 00:00:03.000\nIt turns."),
  });

it("a recording on Loom has its description, its transcript with times, and its metadata", async () => {
  const wire = await open();
  expect(await wire.ingest(LINK)).toMatchObject({
    type: "LOOM",
    title: "Lens demo",
    text: "How the lens turns.\n\nHere is the lens. It turns.",
    segments: [{ seconds: 1 }, { seconds: 2 }],
    metadata: {
      subtype: "VIDEO",
      author: "Ada Harbour",
      siteName: "Loom",
      publishedAt: "2026-03-02T09:00:00.000Z",
      durationSeconds: 93.2,
      thumbnailUrl: "https://cdn.loom.example/t.gif",
      canonicalUrl: `https://www.loom.com/share/${ID}`,
    },
    warnings: [],
  });
  expect(wire.calls).toEqual([
    `GET www.loom.com/v1/oembed?url=https%3A%2F%2Fwww.loom.com%2Fshare%2F${ID}&format=json`,
    "POST www.loom.com/graphql",
    "POST www.loom.com/graphql",
    "GET cdn.loom.example/t.vtt?Signature=x",
  ]);
});

it("a recording on Loom has the phrases of Loom's own transcript if the captions are empty", async () => {
  const phrases = [{ ts: 0.5, value: "Here is the lens." }, { ts: 2, value: "It turns." }, { ts: "x" }, null];
  const wire = await open({ cdn: ({ path }) => (path === "/t.json" ? JSON.stringify({ phrases }) : "WEBVTT\n") });
  expect(await wire.ingest(LINK)).toMatchObject({ segments: [{ seconds: 0.5 }, { seconds: 2 }], warnings: [] });
});

it("a recording on Loom without a transcript has its description, with a warning and advice", async () => {
  const wire = await open({ graphql: (asked) => answerTo(asked, VIDEO, { message: "No transcript" }) });
  expect(await wire.ingest(LINK)).toMatchObject({
    text: "How the lens turns.",
    warnings: [{ code: "no_transcript", message: expect.stringContaining("has no captions") }],
  });
});

it.each(["PrivateVideo", "VideoPasswordMissingOrIncorrect"])("a recording on Loom that is a %s fails as private", async (__typename) => {
  const wire = await open({ oembed: () => ({ status: 500 }), graphql: (asked) => answerTo(asked, { __typename }, null) });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "private" });
});

it("a recording on Loom that is missing or private fails with that reason if no other source has it", async () => {
  for (const [status, code] of [
    [404, "not_found"],
    [403, "private"],
  ] as const) {
    const wire = await open({ oembed: () => ({ status, body: "{}" }), graphql: () => ({ status: 500 }), page: () => ({ status }) });
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ code });
  }
  const unknown = await open({ oembed: () => ({ status: 500 }), graphql: (asked) => answerTo(asked, null, null) });
  await expect(unknown.ingest(LINK)).rejects.toMatchObject({ code: "not_found" });
});

it.each(BROKEN_RESPONSES)(
  "a recording on Loom is read from oEmbed, without Loom's boilerplate, if the API responds %s",
  async (_, answer) => {
    const wire = await open({ graphql: () => answer });
    const found = await wire.ingest(LINK);
    expect(found).toMatchObject({ title: "Lens demo", text: "Lens demo", metadata: { durationSeconds: 93.2 } });
    expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "source_changed"]);
  },
);

it("a recording on Loom is read from its page if both APIs are down", async () => {
  const html = `<html><head><title>Lens demo | Loom</title><meta property="og:title" content="Lens demo | Loom"><script type="application/ld+json">${JSON.stringify({ "@type": "VideoObject", name: "Lens demo", description: "How it turns.", uploadDate: "2026-03-02T09:00:00Z" })}</script></head></html>`;
  const wire = await open({ oembed: () => ({ status: 500 }), graphql: () => ({ status: 500 }), page: () => html });
  expect(await wire.ingest(LINK)).toMatchObject({
    title: "Lens demo",
    text: "How it turns.",
    metadata: { publishedAt: "2026-03-02T09:00:00.000Z" },
    warnings: [{ code: "no_transcript" }],
  });
});

it("a recording beyond a rate limit is retried after Loom's delay, and accepted incomplete in the last attempt", async () => {
  const wire = await open({
    graphql: (asked) => (getOperationName(asked) === "GetVideoSSR" ? answerTo(asked, VIDEO, null) : RATE_LIMITED),
  });
  await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 5 });
  expect(await wire.ingest(LINK)).toMatchObject({ text: "How the lens turns.", warnings: [{ code: "no_transcript" }] });
});

it("a recording on Loom is listed with the others if the link is a folder", async () => {
  const folder = { folder: { name: "Lenses" }, videos: [{ id: ID, name: "First" }, { name: 7 }, { name: "Second" }] };
  const wire = await open({ page: ({ path }) => (path === `/v1/folders/${ID}` ? JSON.stringify(folder) : undefined) });
  expect(await wire.ingest(`https://www.loom.com/share/folder/${ID}`)).toMatchObject({
    title: "Lenses",
    text: "1. First\n2. Second",
    metadata: { subtype: "FOLDER", stats: { videos: 2 } },
    warnings: [],
  });
});
