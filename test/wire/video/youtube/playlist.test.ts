import { expect, it } from "vitest";
import { openWire } from "../../support/wire.ts";

const playlistItem = (id: string, title: string) => ({
  playlistVideoRenderer: {
    videoId: id,
    title: { runs: [{ text: title }] },
    shortBylineText: { runs: [{ text: "Harbour Lab" }] },
    lengthText: { simpleText: "1:33" },
  },
});
const lockup = (id: string, title: string) => ({
  lockupViewModel: {
    contentId: id,
    metadata: {
      lockupMetadataViewModel: {
        title: { content: title },
        metadata: { contentMetadataViewModel: { metadataRows: [{ metadataParts: [{ text: { content: "Harbour Lab" } }] }] } },
      },
    },
    contentImage: { thumbnailViewModel: { overlays: [{ thumbnailBadgeViewModel: { text: "2:05" } }] } },
  },
});
const CONTINUATION = { continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token: "more" } } } };

const PLAYLIST = "https://www.youtube.com/playlist?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf";
const first = {
  metadata: { playlistMetadataRenderer: { title: "Lenses", description: "All about lenses." } },
  contents: { list: [playlistItem("aaaaaaaaaaa", "First"), lockup("bbbbbbbbbbb", "Second"), CONTINUATION] },
};

it("a playlist on YouTube lists its videos in order, over several responses", async () => {
  const wire = await openWire({
    "www.youtube.com": ({ body }) => {
      const asked = JSON.parse(body) as { browseId?: string; continuation?: string };
      if (asked.continuation === "more")
        return JSON.stringify({ onResponse: [playlistItem("ccccccccccc", "Third"), playlistItem("aaaaaaaaaaa", "First")] });
      return asked.browseId === "VLPLrAXtmErZgOeiKm4sgNOknGvNjby9efdf" ? JSON.stringify(first) : undefined;
    },
  });
  expect(await wire.ingest(PLAYLIST)).toMatchObject({
    type: "YOUTUBE",
    title: "Lenses",
    text: "All about lenses.\n\n1. First · Harbour Lab · 1:33\n2. Second · Harbour Lab · 2:05\n3. Third · Harbour Lab · 1:33",
    metadata: { subtype: "PLAYLIST", stats: { videos: 3 } },
    warnings: [],
  });
});

it("a playlist on YouTube is read from its page if the API fails", async () => {
  const tricky = 'A "} title; var ytInitialData = {';
  const data = JSON.stringify({ ...first, contents: [lockup("bbbbbbbbbbb", tricky)] });
  const wire = await openWire({
    "www.youtube.com": ({ path }) => (path === "/playlist" ? `<html><script>var ytInitialData = ${data};</script></html>` : undefined),
  });
  expect((await wire.ingest(PLAYLIST)).text).toContain(`1. ${tricky} · Harbour Lab · 2:05`);
});

it("a playlist on YouTube has at least its latest videos, with a warning", async () => {
  const atom =
    '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Lenses</title><author><name>Harbour Lab</name></author><entry><title>Newest</title></entry></feed>';
  const wire = await openWire({ "www.youtube.com": ({ path }) => (path === "/feeds/videos.xml" ? atom : { status: 500 }) });
  expect(await wire.ingest(PLAYLIST)).toMatchObject({
    title: "Lenses",
    text: "1. Newest",
    metadata: { author: "Harbour Lab" },
    warnings: [{ code: "truncated" }],
  });
});

it.each([
  ["private", "This playlist is private.", "private"],
  ["deleted", "The playlist does not exist.", "not_found"],
])("a playlist on YouTube that is %s fails with that reason", async (_, text, code) => {
  const wire = await openWire({
    "www.youtube.com": () => JSON.stringify({ alerts: [{ alertRenderer: { text: { simpleText: text } } }] }),
  });
  await expect(wire.ingest(PLAYLIST)).rejects.toMatchObject({ code });
});
