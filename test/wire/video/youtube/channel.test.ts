import { expect, it } from "vitest";
import { type Answer, type Asked, openWire, sample } from "../../support/wire.ts";

const ID = `UC${"a".repeat(22)}`;
const HANDLE = "https://www.youtube.com/@harbourlab/videos";
const FEED = `<?xml version="1.0" encoding="UTF-8"?><feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns="http://www.w3.org/2005/Atom">
<title>Harbour Lab</title><author><name>Harbour Lab</name></author>
<entry><title>How a lens bends light</title><published>2026-03-02T09:00:00+00:00</published></entry>
<entry><title>Fog &amp; light</title><published>2026-02-01T09:00:00+00:00</published></entry></feed>`;
const PAGE = `<html><head><title>Harbour Lab - YouTube</title><meta property="og:title" content="Harbour Lab"><meta property="og:description" content="Films about light."><meta property="og:image" content="https://yt3.example/a.jpg"><link rel="canonical" href="https://www.youtube.com/channel/${ID}"></head></html>`;

type Part = (asked: Asked) => Answer | undefined;
const open = (more: { page?: Part; feed?: Part; resolve?: Part } = {}) =>
  openWire({
    "www.youtube.com": (asked) => {
      if (asked.path === "/feeds/videos.xml") return (more.feed ?? (() => FEED))(asked);
      if (asked.path === "/youtubei/v1/navigation/resolve_url") return more.resolve?.(asked);
      return (more.page ?? (() => PAGE))(asked);
    },
  });

it("a channel on YouTube lists its latest videos after its description", async () => {
  const wire = await open();
  expect(await wire.ingest(HANDLE)).toMatchObject({
    type: "YOUTUBE",
    title: "Harbour Lab",
    text: "Films about light.\n\n1. How a lens bends light · 2026-03-02\n2. Fog & light · 2026-02-01",
    metadata: {
      subtype: "CHANNEL",
      author: "Harbour Lab",
      siteName: "YouTube",
      thumbnailUrl: "https://yt3.example/a.jpg",
      canonicalUrl: `https://www.youtube.com/channel/${ID}`,
    },
    warnings: [{ code: "truncated", message: "Only the latest videos of the channel are listed (2)." }],
  });
  expect(wire.calls).toEqual(["GET www.youtube.com/@harbourlab?hl=en", `GET www.youtube.com/feeds/videos.xml?channel_id=${ID}`]);
});

it.each([
  ["https://www.youtube.com/c/HarbourLab", "/c/HarbourLab"],
  ["https://www.youtube.com/user/harbour/about", "/user/harbour"],
  [`https://www.youtube.com/channel/${ID}`, `/channel/${ID}`],
  ["https://www.youtube.com/@%E7%81%AF%E5%8F%B0", "/@%E7%81%AF%E5%8F%B0"],
])("a channel on YouTube is found by its page with %s", async (link, path) => {
  const wire = await open();
  await wire.ingest(link);
  expect(wire.calls[0]).toBe(`GET www.youtube.com${path}?hl=en`);
});

it("a channel on YouTube is named by the data of its page if the head has no name", async () => {
  const wire = await open({ page: () => `<html><title>X</title><script>var d = {"externalId":"${ID}"};</script></html>` });
  await wire.ingest(HANDLE);
  expect(wire.calls.at(-1)).toContain(ID);
});

it("a channel on YouTube behind a consent page is found by its handle", async () => {
  const wire = await open({
    page: () => sample("youtube/youtube.consent.html"),
    resolve: ({ body }) =>
      body.includes('"https://www.youtube.com/@harbourlab"')
        ? JSON.stringify({ endpoint: { browseEndpoint: { browseId: ID } } })
        : undefined,
  });
  expect(await wire.ingest(HANDLE)).toMatchObject({ title: "Harbour Lab", text: expect.stringMatching(/^1\. How a lens/) });
});

it("a channel on YouTube fails with the reason of the page if its id is unknown", async () => {
  const wire = await open({
    page: () => sample("youtube/youtube.consent.html"),
    resolve: () => '{"endpoint":{"browseEndpoint":{"browseId":"x"}}}',
  });
  await expect(wire.ingest(HANDLE)).rejects.toMatchObject({ code: "cookie_wall" });
});

it("a channel on YouTube whose feed is down is read from its videos tab", async () => {
  const data = {
    metadata: {
      channelMetadataRenderer: { title: "Harbour Lab", description: "Films.", channelUrl: `https://www.youtube.com/channel/${ID}` },
    },
    list: [{ lockupViewModel: { contentId: "aaaaaaaaaaa", metadata: { lockupMetadataViewModel: { title: { content: "Lens" } } } } }],
  };
  const wire = await open({
    feed: () => ({ status: 500 }),
    page: ({ path }) => (path.endsWith("/videos") ? `<script>var ytInitialData = ${JSON.stringify(data)};</script>` : PAGE),
  });
  expect(await wire.ingest(HANDLE)).toMatchObject({
    title: "Harbour Lab",
    text: "Films.\n\n1. Lens",
    warnings: [{ message: "Only the latest videos of the channel are listed (1)." }],
  });
});

it("a channel on YouTube that is missing fails with that reason, without further requests", async () => {
  const wire = await open({ page: () => ({ status: 404 }) });
  await expect(wire.ingest(HANDLE)).rejects.toMatchObject({ code: "not_found" });
  expect(wire.calls).toHaveLength(1);
});

it("a channel beyond a rate limit is retried after YouTube's delay", async () => {
  const wire = await open({ feed: () => ({ status: 429, headers: { "retry-after": "4" } }), page: () => ({ status: 429 }) });
  await expect(wire.ingest(`https://www.youtube.com/channel/${ID}`)).rejects.toMatchObject({
    code: "rate_limited",
    retryAfterSeconds: 4,
  });
});
