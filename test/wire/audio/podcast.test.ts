import { expect, it } from "vitest";
import { openWire, sample } from "../support/wire.ts";
import { transcript, item, buildFeed, open } from "./podcast-feed.ts";

const EPISODE = "https://podcasts.apple.com/us/podcast/lens-talk/id1500000001?i=1000600000001";
const listSegmentTexts = (found: {
  readonly text: string;
  readonly segments?: readonly { start: number; end: number; seconds: number }[];
}) => found.segments?.map(({ start, end, seconds }) => [found.text.slice(start, end), seconds]);

it("an episode of Apple Podcasts has its notes and the published transcript, with times and speakers", async () => {
  const wire = await open();
  const found = await wire.ingest(EPISODE);
  expect(found).toMatchObject({
    type: "PODCAST",
    title: "Prisms",
    metadata: {
      subtype: "EPISODE",
      author: "Lens Talk",
      siteName: "Apple Podcasts",
      publishedAt: "2026-03-02T09:00:00.000Z",
      durationSeconds: 1_800,
      thumbnailUrl: "https://is1.example/600.jpg",
      language: "en",
      canonicalUrl: "https://lens.example.com/guid-12",
    },
    warnings: [],
  });
  expect(found.text).toMatch(/^Notes of Prisms\.\n\nWith links\.\n\nAnn: A prism bends light\. Every ring does\.\n\nBob: Why\?$/);
  expect(listSegmentTexts(found)).toEqual([
    ["Ann: A prism bends light.", 0.5],
    ["Every ring does.", 2],
    ["Bob: Why?", 9],
  ]);
  expect(wire.calls).toEqual([
    "GET itunes.apple.com/lookup?id=1500000001&entity=podcastEpisode&limit=200",
    "GET feeds.example.com/lens.xml",
    "GET t.example.com/12.json",
  ]);
});

it.each([
  [
    "text/vtt",
    "WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ann>Hello &amp; welcome.\n\n00:03.000 --> 00:05.000\n<v Ann>Prisms.",
    "Ann: Hello & welcome. Prisms.",
  ],
  ["application/x-subrip", "1\r\n00:00:01,000 --> 00:00:03,000\r\nHello.\r\n", "Hello."],
  ["application/srt", "1\n00:00:01,000 --> 00:00:03,000\nHello.\n", "Hello."],
])("an episode of Apple Podcasts is read from %s too", async (type, file, words) => {
  const wire = await openWire({
    "itunes.apple.com": () => sample("audio/apple.lookup.json"),
    "feeds.example.com": ({ path }) => (path === "/t/12" ? file : buildFeed(item("guid-12", "Prisms", transcript("/t/12", type)))),
  });
  const found = await wire.ingest(EPISODE);
  expect(found.text).toContain(words);
  expect(found.segments?.[0]?.seconds).toBe(1);
  expect(found.warnings).toEqual([]);
});

it.each([
  ["text/html", "<cite>Ann:</cite><p>Hello there.</p><p>Prisms.</p>", "Hello there.\n\nPrisms."],
  ["text/plain", "Ann: 1 < 2\n\nBob: Yes.", "Ann: 1 < 2\n\nBob: Yes."],
])("an episode of Apple Podcasts has text without times from %s", async (type, file, words) => {
  const wire = await open({
    feed: () => buildFeed(item("guid-12", "Prisms", transcript("https://t.example.com/12", type))),
    files: () => file,
  });
  const found = await wire.ingest(EPISODE);
  expect(found).toMatchObject({ text: expect.stringContaining(words), warnings: [] });
  expect(found.segments).toBeUndefined();
});

it("an episode of Apple Podcasts prefers the operator's language, then that of the show, and formats with times", async () => {
  const files = [
    transcript("https://t.example.com/de.html", "text/html", "de"),
    transcript("https://t.example.com/de.vtt", "text/vtt", "de"),
    transcript("https://t.example.com/en.txt", "text/plain", "en"),
    transcript("https://t.example.com/en.srt", "application/srt", "en"),
  ].join("");
  const wire = await open({
    feed: () => buildFeed(item("guid-12", "Prisms", files)),
    files: ({ path }) => `1\n00:00:01,000 --> 00:00:03,000\nFrom ${path}.\n`,
  });
  expect((await wire.ingest(EPISODE)).text).toContain("From /en.srt.");
  const german = await wire.ingest(EPISODE, { settings: { transcriptLanguages: ["de"] } });
  expect(german).toMatchObject({ text: expect.stringContaining("From /de.vtt."), metadata: { language: "de" } });
});

it("an episode of Apple Podcasts uses the next transcript if one is invalid or empty", async () => {
  const files = [
    transcript("https://t.example.com/a.json", "application/json"),
    transcript("https://t.example.com/b.vtt", "text/vtt"),
  ].join("");
  const answers: Record<string, string> = { "/a.json": "{ broken", "/b.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nAt last." };
  const wire = await open({ feed: () => buildFeed(item("guid-12", "Prisms", files)), files: ({ path }) => answers[path] ?? "" });
  expect((await wire.ingest(EPISODE)).text).toContain("At last.");
});

it("an episode of Apple Podcasts without a transcript has its notes, with a warning", async () => {
  const wire = await open({ feed: () => buildFeed(item("guid-12", "Prisms")) });
  const found = await wire.ingest(EPISODE, { isLastAttempt: false });
  expect(found.text).toBe("Notes of Prisms.\n\nWith links.");
  expect(found.warnings).toEqual([{ code: "no_transcript", message: expect.stringContaining("publishes no transcript") }]);
});

it("an episode of Apple Podcasts whose transcript is unavailable is retried, and finally has its notes", async () => {
  const wire = await open({ files: () => ({ status: 503, headers: { "retry-after": "7" } }) });
  await expect(wire.ingest(EPISODE, { isLastAttempt: false })).rejects.toMatchObject({ retryable: true, retryAfterSeconds: 7 });
  const last = await wire.ingest(EPISODE);
  expect(last).toMatchObject({ text: expect.stringContaining("Notes of Prisms."), warnings: [{ code: "no_transcript" }] });
});

it("an episode of Apple Podcasts is found in the feed by its file or title if the guid differs", async () => {
  const byFile = await open({
    feed: () =>
      buildFeed(
        item("x", "Other"),
        item("y", "Prisms (new title)").replace("cdn.example.com/y.mp3", "track.example.net/r/cdn.example.com/ep12.mp3"),
      ),
  });
  expect((await byFile.ingest(EPISODE)).text).toContain("Notes of Prisms (new title).");
  const byTitle = await open({ feed: () => buildFeed(item("x", "Other"), item("y", "PRISMS!")) });
  expect((await byTitle.ingest(EPISODE)).text).toContain("Notes of PRISMS!.");
  const none = await open({ feed: () => buildFeed(item("x", "Other")) });
  expect(await none.ingest(EPISODE)).toMatchObject({ title: "Prisms", text: "About prisms.", warnings: [{ code: "no_transcript" }] });
});

it("an episode of Apple Podcasts older than the directory's latest is found by its page", async () => {
  const told = {
    "@type": "PodcastEpisode",
    name: "Rings",
    datePublished: "2020-01-01",
    description: "Old notes.",
    partOfSeries: { name: "Lens Talk" },
  };
  const wire = await open({
    page: () =>
      `<html><head><title>Rings</title><script type="application/ld+json">${JSON.stringify(told)}</script></head><body>x</body></html>`,
    feed: () => buildFeed(item("a", "Prisms"), item("b", "Rings", transcript("https://t.example.com/b.json", "application/json"))),
  });
  const found = await wire.ingest(EPISODE.replace("1000600000001", "1000500000009"));
  expect(found).toMatchObject({ title: "Rings", text: expect.stringContaining("Ann: A prism bends light."), warnings: [] });
});

it("an episode of Apple Podcasts has the data of the directory while the feed is down, hangs, is invalid or is a page", async () => {
  for (const feed of [
    () => ({ status: 500 }),
    () => "garbage",
    () => "<html><body>Moved</body></html>",
    () => ({ status: 404 }),
    () => "hang" as const,
  ]) {
    const wire = await open({ feed });
    expect(await wire.ingest(EPISODE, { sourceTimeoutMs: 5_000 })).toMatchObject({
      title: "Prisms",
      text: "About prisms.",
      warnings: expect.arrayContaining([expect.objectContaining({ code: "no_transcript" })]),
    });
  }
  const wire = await open({ feed: () => ({ status: 500 }) });
  await expect(wire.ingest(EPISODE, { isLastAttempt: false })).rejects.toMatchObject({ code: "server_error", retryable: true });
});

it("an episode of Apple Podcasts that the directory does not know fails as missing", async () => {
  const wire = await open({ lookup: () => '{"resultCount":0,"results":[]}' });
  await expect(wire.ingest(EPISODE)).rejects.toMatchObject({ code: "not_found", retryable: false });
});

it("an episode of Apple Podcasts is looked up in the store of the link, and finally by its page only", async () => {
  const wire = await open({
    lookup: () => '{"results":[]}',
    page: () =>
      '<html><head><meta property="og:title" content="Prismen"><meta property="og:description" content="Über Prismen."></head></html>',
  });
  const found = await wire.ingest("https://podcasts.apple.com/de/podcast/linsen/id1500000001?i=1000600000001");
  expect(found).toMatchObject({ title: "Prismen", text: "Über Prismen.", warnings: [{ code: "no_transcript" }] });
  expect(wire.calls[0]).toMatch(/&country=de$/);
});

it("an episode of Apple Podcasts is retried after a rate limit of the directory, and unexpected types are ignored", async () => {
  const limited = await open({ lookup: () => ({ status: 429, headers: { "retry-after": "30" } }) });
  await expect(limited.ingest(EPISODE, { isLastAttempt: false })).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 30 });
  for (const answer of ['{"results":[{"kind":"podcast","feedUrl":7}]}', "[]", "<html>no</html>", '{"results":"x"}']) {
    const wire = await open({ lookup: () => answer });
    await expect(wire.ingest(EPISODE)).rejects.toMatchObject({ name: "IngestError" });
  }
});
