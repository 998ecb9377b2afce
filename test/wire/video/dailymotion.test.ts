import { expect, it } from "vitest";
import { type Answer, openWire } from "../support/wire.ts";
import { type Part, RATE_LIMITED, BROKEN_RESPONSES } from "../support/broken-responses.ts";

const LINK = "https://www.dailymotion.com/video/x8mjju4_lens";
const FIELDS = {
  title: "How a lens bends light",
  description: "A film about lenses.<br />Part one.\nLine &amp; light.",
  "owner.screenname": "Harbour Lab",
  "owner.url": "https://www.dailymotion.com/harbourlab",
  duration: 93,
  created_time: 1_772_442_000,
  thumbnail_720_url: "https://s1.dmcdn.example/x720",
  language: "fr",
  views_total: 700,
};
const SRT = "1\r\n00:00:01,000 --> 00:00:03,000\r\nUne lentille.\r\n\r\n2\r\n00:00:03,500 --> 00:00:05,000\r\nElle tourne.\r\n";
const LIST = {
  list: [
    { language: "en", url: "https://static.dmcdn.example/en.srt" },
    { language: "fr", url: "https://static.dmcdn.example/fr.srt" },
  ],
};
const failed = (code: number, type: string, reason: string): Answer => ({
  status: code,
  body: JSON.stringify({ error: { code, type, message: "Sorry.", error_data: { reason } } }),
});

const open = (more: { api?: Part; subtitles?: Part; player?: Part; oembed?: Part; files?: Part } = {}) =>
  openWire({
    "api.dailymotion.com": (asked) =>
      asked.path.endsWith("/subtitles")
        ? (more.subtitles ?? (() => JSON.stringify(LIST)))(asked)
        : (more.api ?? (() => JSON.stringify(FIELDS)))(asked),
    "www.dailymotion.com": (asked) => (asked.path === "/services/oembed" ? more.oembed?.(asked) : more.player?.(asked)),
    "static.dmcdn.example": more.files ?? (() => SRT),
  });

it("a video on Dailymotion has its description, its subtitles in the spoken language, and its metadata", async () => {
  const wire = await open();
  expect(await wire.ingest(LINK)).toMatchObject({
    type: "DAILYMOTION",
    title: "How a lens bends light",
    text: "A film about lenses.\nPart one.\nLine & light.\n\nUne lentille. Elle tourne.",
    segments: [{ seconds: 1 }, { seconds: 3.5 }],
    metadata: {
      subtype: "VIDEO",
      author: "Harbour Lab",
      authorUrl: "https://www.dailymotion.com/harbourlab",
      siteName: "Dailymotion",
      publishedAt: "2026-03-02T09:00:00.000Z",
      durationSeconds: 93,
      thumbnailUrl: "https://s1.dmcdn.example/x720",
      language: "fr",
      canonicalUrl: "https://www.dailymotion.com/video/x8mjju4",
      stats: { views: 700 },
    },
    warnings: [],
  });
  expect(wire.calls).toEqual([
    expect.stringMatching(/^GET api\.dailymotion\.com\/video\/x8mjju4\?fields=title/),
    "GET api.dailymotion.com/video/x8mjju4/subtitles?fields=language%2Curl",
    "GET static.dmcdn.example/fr.srt",
  ]);
});

it("a video on Dailymotion has automatic captions if only the player lists them", async () => {
  const data = { "en-auto": { label: "English (auto)", urls: ["https://static.dmcdn.example/auto.srt"] } };
  const wire = await open({
    subtitles: () => '{"list":[]}',
    player: () => JSON.stringify({ title: "How a lens bends light", subtitles: { enable: true, data } }),
  });
  expect(await wire.ingest("https://dai.ly/x8mjju4")).toMatchObject({ segments: [{ seconds: 1 }, { seconds: 3.5 }], warnings: [] });
});

it("a video on Dailymotion without subtitles has its description, with a warning and advice", async () => {
  const wire = await open({ subtitles: () => '{"list":[]}', player: () => '{"title":"How a lens bends light","subtitles":{"data":[]}}' });
  expect((await wire.ingest(LINK)).warnings).toEqual([{ code: "no_transcript", message: expect.stringContaining("has no captions") }]);
});

it.each([
  ["deleted", failed(404, "not_found", "video_deleted"), "not_found"],
  ["private", failed(403, "access_forbidden", "video_private"), "private"],
  ["locked by a password", failed(403, "access_forbidden", "password_protected"), "private"],
  ["blocked in this country", failed(403, "access_forbidden", "video_geoblocked"), "region_locked"],
])("a video on Dailymotion that is %s fails with that reason, without further requests", async (_, answer, code) => {
  const wire = await open({ api: () => answer });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code, retryable: false });
  expect(wire.calls).toHaveLength(1);
});

it("a video on Dailymotion that is blocked in this country fails with that reason", async () => {
  const wire = await open({ api: () => "{}", subtitles: () => "{}", player: () => '{"error":{"code":"DM007","title":"Not here"}}' });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "region_locked" });
});

it.each(BROKEN_RESPONSES)("a video on Dailymotion is read from oEmbed if the other sources respond %s", async (_, answer) => {
  const oembed = { title: "How a lens bends light", author_name: "Harbour Lab", provider_name: "Dailymotion" };
  const wire = await open({ api: () => answer, subtitles: () => answer, player: () => answer, oembed: () => JSON.stringify(oembed) });
  const found = await wire.ingest(LINK);
  expect(found).toMatchObject({ title: "How a lens bends light", metadata: { author: "Harbour Lab" } });
  expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "source_changed"]);
});

it("a video beyond a rate limit is retried after Dailymotion's delay, and accepted incomplete in the last attempt", async () => {
  const wire = await open({ subtitles: () => RATE_LIMITED, player: () => RATE_LIMITED });
  await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 5 });
  const found = await wire.ingest(LINK);
  expect(found).toMatchObject({ text: "A film about lenses.\nPart one.\nLine & light.", metadata: { stats: { views: 700 } } });
  expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "rate_limited"]);
});

it("a video on Dailymotion is listed with the others if the link is a playlist", async () => {
  const wire = await open({
    api: ({ path }) =>
      path.endsWith("/videos")
        ? JSON.stringify({ list: [{ title: "One", "owner.screenname": "Harbour Lab" }, { title: 7 }, { title: "Two" }], has_more: true })
        : JSON.stringify({ name: "Lenses", description: "All of them.", "owner.screenname": "Harbour Lab", videos_total: 140 }),
  });
  expect(await wire.ingest("https://www.dailymotion.com/playlist/x7wdsj")).toMatchObject({
    title: "Lenses",
    text: "All of them.\n\n1. One · Harbour Lab\n2. Two",
    metadata: { subtype: "PLAYLIST", stats: { videos: 140 } },
    warnings: [{ code: "truncated" }],
  });
});
