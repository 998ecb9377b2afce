import { describe, expect, it } from "vitest";
import { type Answer, type Asked, openWire, sample } from "../support/wire.ts";

type Part = (asked: Asked) => Answer | undefined;
const late: Answer = { status: 429, headers: { "retry-after": "5" } };
const garbage: readonly (readonly [string, string])[] = [
  ["no JSON", "Hello"],
  ["a page", "<html></html>"],
  ["an empty object", "{}"],
  ["null", "null"],
  ["other shapes", '{"data":{"getVideo":[],"video":7,"clip":"x","user":[]},"list":{},"title":{}}'],
];

describe("a recording on Loom", () => {
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
  const nameOf = ({ body }: Asked): string => (JSON.parse(body) as { operationName: string }).operationName;
  const answerTo = (asked: Asked, video: unknown, transcript: unknown): string =>
    JSON.stringify({ data: nameOf(asked) === "GetVideoSSR" ? { getVideo: video } : { fetchVideoTranscript: transcript } });

  const open = (more: { oembed?: Part; graphql?: Part; cdn?: Part; page?: Part } = {}) =>
    openWire({
      "www.loom.com": (asked) => {
        if (asked.path === "/v1/oembed") return (more.oembed ?? (() => sample("loom.oembed.json")))(asked);
        if (asked.path === "/graphql") return (more.graphql ?? ((one) => answerTo(one, VIDEO, DETAILS)))(asked);
        return more.page?.(asked);
      },
      "cdn.loom.example":
        more.cdn ?? (() => "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHere is the lens.\n\n00:00:02.000 --> 00:00:03.000\nIt turns."),
    });

  it("has its description, its transcript with times, and its metadata", async () => {
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

  it("has the phrases of Loom's own transcript if the captions are empty", async () => {
    const phrases = [{ ts: 0.5, value: "Here is the lens." }, { ts: 2, value: "It turns." }, { ts: "x" }, null];
    const wire = await open({ cdn: ({ path }) => (path === "/t.json" ? JSON.stringify({ phrases }) : "WEBVTT\n") });
    expect(await wire.ingest(LINK)).toMatchObject({ segments: [{ seconds: 0.5 }, { seconds: 2 }], warnings: [] });
  });

  it("without a transcript has its description, with a warning and advice", async () => {
    const wire = await open({ graphql: (asked) => answerTo(asked, VIDEO, { message: "No transcript" }) });
    expect(await wire.ingest(LINK)).toMatchObject({
      text: "How the lens turns.",
      warnings: [{ code: "no_transcript", message: expect.stringContaining("has no captions") }],
    });
  });

  it.each(["PrivateVideo", "VideoPasswordMissingOrIncorrect"])("that is a %s fails as private", async (__typename) => {
    const wire = await open({ oembed: () => ({ status: 500 }), graphql: (asked) => answerTo(asked, { __typename }, null) });
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "private" });
  });

  it("that is missing or private fails with that reason if no other source has it", async () => {
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

  it.each(garbage)("is read from oEmbed, without Loom's boilerplate, if the API responds %s", async (_, answer) => {
    const wire = await open({ graphql: () => answer });
    const found = await wire.ingest(LINK);
    expect(found).toMatchObject({ title: "Lens demo", text: "Lens demo", metadata: { durationSeconds: 93.2 } });
    expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "source_changed"]);
  });

  it("is read from its page if both APIs are down", async () => {
    const html = `<html><head><title>Lens demo | Loom</title><meta property="og:title" content="Lens demo | Loom"><script type="application/ld+json">${JSON.stringify({ "@type": "VideoObject", name: "Lens demo", description: "How it turns.", uploadDate: "2026-03-02T09:00:00Z" })}</script></head></html>`;
    const wire = await open({ oembed: () => ({ status: 500 }), graphql: () => ({ status: 500 }), page: () => html });
    expect(await wire.ingest(LINK)).toMatchObject({
      title: "Lens demo",
      text: "How it turns.",
      metadata: { publishedAt: "2026-03-02T09:00:00.000Z" },
      warnings: [{ code: "no_transcript" }],
    });
  });

  it("beyond a rate limit is retried after Loom's delay, and accepted incomplete in the last attempt", async () => {
    const wire = await open({ graphql: (asked) => (nameOf(asked) === "GetVideoSSR" ? answerTo(asked, VIDEO, null) : late) });
    await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 5 });
    expect(await wire.ingest(LINK)).toMatchObject({ text: "How the lens turns.", warnings: [{ code: "no_transcript" }] });
  });

  it("is listed with the others if the link is a folder", async () => {
    const folder = { folder: { name: "Lenses" }, videos: [{ id: ID, name: "First" }, { name: 7 }, { name: "Second" }] };
    const wire = await open({ page: ({ path }) => (path === `/v1/folders/${ID}` ? JSON.stringify(folder) : undefined) });
    expect(await wire.ingest(`https://www.loom.com/share/folder/${ID}`)).toMatchObject({
      title: "Lenses",
      text: "1. First\n2. Second",
      metadata: { subtype: "FOLDER", stats: { videos: 2 } },
      warnings: [],
    });
  });
});

describe("Twitch", () => {
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

  it("has the metadata of a video, and a warning that it has no captions", async () => {
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

  it("has the metadata of a clip", async () => {
    const wire = await open({
      clip: { title: "Fog!", durationSeconds: 28, createdAt: "2026-03-02T09:00:00Z", broadcaster: { displayName: "HarbourLab" } },
    });
    expect(await wire.ingest("https://www.twitch.tv/harbourlab/clip/FunnyLighthouseClip-AbCd")).toMatchObject({
      title: "Fog!",
      text: "Fog!",
      metadata: { subtype: "CLIP", author: "HarbourLab", durationSeconds: 28 },
    });
  });

  it("has the metadata of a channel, with its latest videos", async () => {
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
  ])("fails as missing for %s", async (link, data) => {
    await expect((await open(data)).ingest(link)).rejects.toMatchObject({ code: "not_found" });
  });

  it.each(garbage)("is read from its page if the API responds %s", async (_, answer) => {
    const html =
      '<html><head><meta property="og:title" content="Fog! - Twitch"><meta property="og:description" content="A foggy clip."></head></html>';
    const wire = await open(answer, () => html);
    const found = await wire.ingest("https://clips.twitch.tv/FunnyLighthouseClip-AbCd");
    expect(found).toMatchObject({ title: "Fog!", text: "A foggy clip." });
    expect(found.warnings.map(({ code }) => code)).toEqual(["thin_content", "source_changed"]);
  });

  it("fails with the reason if neither API nor page has anything", async () => {
    const wire = await openWire({ "gql.twitch.tv": () => late, "www.twitch.tv": () => "<html><head><title>Twitch</title></head></html>" });
    await expect(wire.ingest("https://www.twitch.tv/videos/2012345678")).rejects.toMatchObject({
      code: "rate_limited",
      retryAfterSeconds: 5,
    });
  });
});

describe("a video on Dailymotion", () => {
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

  it("has its description, its subtitles in the spoken language, and its metadata", async () => {
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

  it("has automatic captions if only the player lists them", async () => {
    const data = { "en-auto": { label: "English (auto)", urls: ["https://static.dmcdn.example/auto.srt"] } };
    const wire = await open({
      subtitles: () => '{"list":[]}',
      player: () => JSON.stringify({ title: "How a lens bends light", subtitles: { enable: true, data } }),
    });
    expect(await wire.ingest("https://dai.ly/x8mjju4")).toMatchObject({ segments: [{ seconds: 1 }, { seconds: 3.5 }], warnings: [] });
  });

  it("without subtitles has its description, with a warning and advice", async () => {
    const wire = await open({ subtitles: () => '{"list":[]}', player: () => '{"title":"How a lens bends light","subtitles":{"data":[]}}' });
    expect((await wire.ingest(LINK)).warnings).toEqual([{ code: "no_transcript", message: expect.stringContaining("has no captions") }]);
  });

  it.each([
    ["deleted", failed(404, "not_found", "video_deleted"), "not_found"],
    ["private", failed(403, "access_forbidden", "video_private"), "private"],
    ["locked by a password", failed(403, "access_forbidden", "password_protected"), "private"],
    ["barred here", failed(403, "access_forbidden", "video_geoblocked"), "region_locked"],
  ])("that is %s fails with that reason, without further requests", async (_, answer, code) => {
    const wire = await open({ api: () => answer });
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ code, retryable: false });
    expect(wire.calls).toHaveLength(1);
  });

  it("blocked in this country fails with that reason", async () => {
    const wire = await open({ api: () => "{}", subtitles: () => "{}", player: () => '{"error":{"code":"DM007","title":"Not here"}}' });
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "region_locked" });
  });

  it.each(garbage)("is read from oEmbed if the other sources respond %s", async (_, answer) => {
    const oembed = { title: "How a lens bends light", author_name: "Harbour Lab", provider_name: "Dailymotion" };
    const wire = await open({ api: () => answer, subtitles: () => answer, player: () => answer, oembed: () => JSON.stringify(oembed) });
    const found = await wire.ingest(LINK);
    expect(found).toMatchObject({ title: "How a lens bends light", metadata: { author: "Harbour Lab" } });
    expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "source_changed"]);
  });

  it("beyond a rate limit is retried after Dailymotion's delay, and accepted incomplete in the last attempt", async () => {
    const wire = await open({ subtitles: () => late, player: () => late });
    await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 5 });
    const found = await wire.ingest(LINK);
    expect(found).toMatchObject({ text: "A film about lenses.\nPart one.\nLine & light.", metadata: { stats: { views: 700 } } });
    expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "rate_limited"]);
  });

  it("is listed with the others if the link is a playlist", async () => {
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
});
