import { expect, it } from "vitest";
import { openWire } from "../support/wire.ts";
import { type Part, RATE_LIMITED, BROKEN_RESPONSES } from "../support/broken-responses.ts";

const VIDEO = {
  title: "Building a lighthouse",
  description: "Day three.\nThe lamp.",
  lengthSeconds: 7_265,
  publishedAt: "2026-03-02T09:00:00Z",
  viewCount: 900,
  language: "EN",
  previewThumbnailURL: "https://cdn.example/thumb-{width}x{height}.jpg",
  owner: { displayName: "HarbourLab", login: "harbourlab" },
};
const open = (data: unknown, page?: Part) =>
  openWire({
    "gql.twitch.tv": () => (typeof data === "string" ? data : JSON.stringify({ data })),
    ...(page === undefined ? {} : { "www.twitch.tv": page, "clips.twitch.tv": page }),
  });

it("a video on Twitch has its metadata, and a warning that it has no captions", async () => {
  const wire = await open({ video: VIDEO });
  expect(await wire.ingest("https://www.twitch.tv/videos/2012345678?t=1h")).toMatchObject({
    type: "TWITCH",
    title: "Building a lighthouse",
    text: "Day three.\nThe lamp.",
    metadata: {
      subtype: "VIDEO",
      author: "HarbourLab",
      authorUrl: "https://www.twitch.tv/harbourlab",
      siteName: "Twitch",
      publishedAt: "2026-03-02T09:00:00.000Z",
      durationSeconds: 7_265,
      thumbnailUrl: "https://cdn.example/thumb-640x360.jpg",
      language: "en",
      canonicalUrl: "https://www.twitch.tv/videos/2012345678",
      stats: { views: 900 },
    },
    warnings: [{ code: "no_transcript", message: expect.stringContaining("configure speech to text") }],
  });
  expect(wire.calls).toEqual(["POST gql.twitch.tv/gql"]);
  expect(JSON.parse(wire.asked[0]?.body ?? "")).toMatchObject({ variables: { id: "2012345678" } });
});

it("a clip on Twitch has its metadata", async () => {
  const wire = await open({
    clip: { title: "Fog!", durationSeconds: 28, createdAt: "2026-03-02T09:00:00Z", broadcaster: { displayName: "HarbourLab" } },
  });
  expect(await wire.ingest("https://www.twitch.tv/harbourlab/clip/FunnyLighthouseClip-AbCd")).toMatchObject({
    title: "Fog!",
    text: "Fog!",
    metadata: { subtype: "CLIP", author: "HarbourLab", durationSeconds: 28 },
  });
});

it("a channel on Twitch has its metadata, with its latest videos", async () => {
  const edges = [{ node: { title: "One", publishedAt: "2026-03-02T09:00:00Z", lengthSeconds: 7_265 } }, { node: { title: "Two" } }, null];
  const user = { displayName: "HarbourLab", login: "harbourlab", description: "Light.", followers: { totalCount: 5 }, videos: { edges } };
  const wire = await open({ user });
  expect(await wire.ingest("https://www.twitch.tv/HarbourLab")).toMatchObject({
    title: "HarbourLab",
    text: "Light.\n\n1. One · 2026-03-02 · 2:01:05\n2. Two",
    metadata: { subtype: "CHANNEL", stats: { followers: 5 } },
    warnings: [],
  });
});

it.each([
  ["https://www.twitch.tv/videos/2012345678", { video: null }],
  ["https://clips.twitch.tv/Gone", { clip: null }],
  ["https://www.twitch.tv/harbourlab", { user: null }],
])("content on Twitch fails as missing for %s", async (link, data) => {
  await expect((await open(data)).ingest(link)).rejects.toMatchObject({ code: "not_found" });
});

it.each(BROKEN_RESPONSES)("content on Twitch is read from its page if the API responds %s", async (_, answer) => {
  const html =
    '<html><head><meta property="og:title" content="Fog! - Twitch"><meta property="og:description" content="A foggy clip."></head></html>';
  const wire = await open(answer, () => html);
  const found = await wire.ingest("https://clips.twitch.tv/FunnyLighthouseClip-AbCd");
  expect(found).toMatchObject({ title: "Fog!", text: "A foggy clip." });
  expect(found.warnings.map(({ code }) => code)).toEqual(["thin_content", "source_changed"]);
});

it("content on Twitch fails with the reason if neither API nor page has anything", async () => {
  const wire = await openWire({
    "gql.twitch.tv": () => RATE_LIMITED,
    "www.twitch.tv": () => "<html><head><title>Twitch</title></head></html>",
  });
  await expect(wire.ingest("https://www.twitch.tv/videos/2012345678")).rejects.toMatchObject({
    code: "rate_limited",
    retryAfterSeconds: 5,
  });
});
