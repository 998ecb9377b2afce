import { describe, expect, it } from "vitest";
import { type Asked, openWire, sample } from "../support/wire.ts";

const LINK = "https://youtu.be/fakeVid0001?si=share";
const player = (change: (answer: Record<string, unknown>) => void = () => {}): string => {
  const answer = JSON.parse(sample("youtube/youtube.player.json")) as Record<string, unknown>;
  change(answer);
  return JSON.stringify(answer);
};
const unplayable = (status: string, reason: string): string => JSON.stringify({ playabilityStatus: { status, reason } });
const getClientName = ({ body }: Asked): string =>
  (JSON.parse(body) as { context: { client: { clientName: string } } }).context.client.clientName;

/** YouTube with valid responses; each of them can be replaced. */
const youtube =
  (
    more: Partial<
      Record<"player" | "timedtext" | "watch" | "oembed", (asked: Asked) => ReturnType<Parameters<typeof openWire>[0][string]>>
    >,
  ) =>
  (asked: Asked) => {
    if (asked.path === "/youtubei/v1/player") return (more.player ?? (() => player()))(asked);
    if (asked.path === "/api/timedtext") return (more.timedtext ?? (() => sample("youtube/youtube.timedtext.json3.json")))(asked);
    if (asked.path === "/watch") return (more.watch ?? (() => sample("youtube/youtube.watch.html")))(asked);
    if (asked.path === "/oembed") return (more.oembed ?? (() => sample("youtube/youtube.oembed.json")))(asked);
    return undefined;
  };
const open = (more: Parameters<typeof youtube>[0] = {}) => openWire({ "www.youtube.com": youtube(more) });

describe("a video on YouTube", () => {
  it("has its description, its captions with times, and its metadata", async () => {
    const wire = await open();
    const found = await wire.ingest(LINK);
    expect(found).toMatchObject({
      type: "YOUTUBE",
      title: "How a lighthouse lens bends light",
      metadata: { subtype: "VIDEO", author: "Harbour Lab", siteName: "YouTube", durationSeconds: 93, language: "en" },
      warnings: [],
    });
    expect(found.text).toContain("A short film about Fresnel lenses.");
    expect(found.text).toContain("A lighthouse lens is a stack of prisms. Each ring bends light & sends it out flat.");
    const said = found.segments?.map(({ start, end, seconds }) => [found.text.slice(start, end), seconds]);
    expect(said).toEqual([
      ["A lighthouse lens is a stack of prisms.", 0.4],
      ["Each ring bends light & sends it out flat.", 3.7],
    ]);
    expect(wire.calls).toEqual([
      "POST www.youtube.com/youtubei/v1/player?prettyPrint=false",
      expect.stringMatching(/^GET www\.youtube\.com\/api\/timedtext\?.*lang=en&fmt=json3$/),
    ]);
  });

  it.each([
    ["https://www.youtube.com/shorts/fakeVid0001", "SHORT"],
    ["https://www.youtube.com/live/fakeVid0001", "LIVE"],
  ])("is read as %s too", async (link, subtype) => {
    const wire = await open();
    expect(await wire.ingest(link)).toMatchObject({ type: "YOUTUBE", metadata: { subtype }, segments: expect.any(Array) });
  });

  it("is requested as one client after another until one has captions", async () => {
    const asked: string[] = [];
    const wire = await open({
      player: (call) => {
        asked.push(getClientName(call));
        return asked.length === 1 ? sample("youtube/youtube.player.login_required.json") : player();
      },
    });
    expect((await wire.ingest(LINK)).segments).toHaveLength(2);
    expect(asked).toEqual(["VISIONOS", "IOS"]);
    const chosen = await open({
      player: (call) => (getClientName(call) === "TVHTML5" ? player() : unplayable("ERROR", "Video unavailable")),
    });
    expect((await chosen.ingest(LINK, { settings: { youtubeClients: ["TVHTML5"] } })).segments).toHaveLength(2);
  });

  it("prefers written captions to automatic ones, and the operator's languages to all", async () => {
    const wire = await open({
      timedtext: ({ query }) => JSON.stringify({ events: [{ tStartMs: 0, dDurationMs: 1, segs: [{ utf8: `In ${query.get("lang")}.` }] }] }),
    });
    expect((await wire.ingest(LINK)).text).toContain("In en.");
    const spanish = await wire.ingest(LINK, { settings: { transcriptLanguages: ["fr", "es"] } });
    expect(spanish).toMatchObject({ text: expect.stringContaining("In es."), metadata: { language: "es" } });
  });

  it("whose captions are empty for a client is requested as the next one, and finally by its page", async () => {
    const wire = await open({ timedtext: () => "" });
    const found = await wire.ingest(LINK);
    expect(found.warnings).toEqual([
      { code: "no_transcript", message: expect.stringContaining("captions of this video could not be read") },
    ]);
    expect(found.text).toBe("A short film about Fresnel lenses.\n\n0:00 Intro\n0:40 The lens");
    expect(wire.calls.filter((call) => call.includes("/player"))).toHaveLength(3);
    expect(wire.calls.some((call) => call.includes("/watch"))).toBe(true);
  });

  it("without captions has its description, with a warning and advice", async () => {
    const wire = await open({ player: () => sample("youtube/youtube.player.nocaptions.json") });
    expect(await wire.ingest("https://youtu.be/fakeVid0002")).toMatchObject({
      title: "Silent waves",
      text: "No speech.",
      warnings: [{ code: "no_transcript", message: "This video has no captions. Paste its text, or configure speech to text." }],
    });
    expect(wire.calls).toHaveLength(1);
  });

  it.each([
    ["private", unplayable("LOGIN_REQUIRED", "This is a private video. Please sign in to verify that you may see it."), "private"],
    ["deleted", unplayable("ERROR", "This video is unavailable"), "not_found"],
    ["removed by its uploader", unplayable("ERROR", "This video has been removed by the uploader"), "not_found"],
    [
      "blocked in this country",
      unplayable("UNPLAYABLE", "The uploader has not made this video available in your country"),
      "region_locked",
    ],
    ["for members", unplayable("UNPLAYABLE", "Join this channel to get access to members-only content"), "members_only"],
    ["not started", unplayable("LIVE_STREAM_OFFLINE", "This live event will begin in 3 hours."), "not_started"],
  ])("that is %s fails with that reason, without further requests", async (_, answer, code) => {
    const wire = await open({ player: () => answer });
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ code, retryable: false, message: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(wire.calls).toHaveLength(1);
  });

  it("that requires a login for all clients is read from oEmbed, with both reasons", async () => {
    const wire = await open({
      player: () => sample("youtube/youtube.player.login_required.json"),
      watch: () => sample("youtube/youtube.recaptcha.html"),
    });
    const found = await wire.ingest(LINK);
    expect(found).toMatchObject({ title: "How a lighthouse lens bends light", metadata: { author: "Harbour Lab" } });
    expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "captcha"]);
    await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({ code: "captcha", retryable: true });
  });

  it("behind a consent page fails with a message if no other source responds", async () => {
    const wire = await open({
      player: () => ({ status: 500, body: "{}" }),
      watch: () => sample("youtube/youtube.consent.html"),
      oembed: () => ({ status: 503, body: "Later" }),
    });
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "cookie_wall" });
  });

  it("beyond a rate limit is retried after the service's delay, and accepted incomplete in the last attempt", async () => {
    const late = { status: 429, headers: { "retry-after": "7" }, body: "Slow down" };
    const wire = await open({ player: () => late, watch: () => late });
    await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({
      code: "rate_limited",
      retryable: true,
      retryAfterSeconds: 7,
    });
    expect((await wire.ingest(LINK)).warnings.map(({ code }) => code)).toEqual(["no_transcript", "rate_limited"]);
  });

  it.each([
    ["no JSON", "Hello"],
    ["an empty object", "{}"],
    ["null", "null"],
    ["a list", "[[[]]]"],
    ["unexpected types everywhere", JSON.stringify({ playabilityStatus: { status: "OK" }, videoDetails: [], captions: 7 })],
  ])("is read from its page if the player responds %s", async (_, answer) => {
    const plain = sample("youtube/youtube.watch.html").replace("&exp=xpe", "");
    const wire = await open({ player: () => answer, watch: () => plain });
    expect(await wire.ingest(LINK)).toMatchObject({
      title: "How a lighthouse lens bends light",
      segments: [{ seconds: 0.4 }, { seconds: 3.7 }],
    });
  });

  it("with partial results keeps them, although the last source says that it is private", async () => {
    const wire = await open({ timedtext: () => "", oembed: () => ({ status: 401, body: "Unauthorized" }) });
    expect(await wire.ingest(LINK)).toMatchObject({ text: expect.stringContaining("A short film"), warnings: [{ code: "no_transcript" }] });
    const unplayable = await open({ player: () => ({ status: 403 }), watch: () => ({ status: 403 }), oembed: () => ({ status: 403 }) });
    await expect(unplayable.ingest(LINK)).rejects.toMatchObject({ code: "forbidden" });
  });

  it("is retried after the longest delay that any source requested, whatever else failed", async () => {
    const later = (seconds: string) => ({ status: 503, headers: { "retry-after": seconds } });
    const consent = await open({
      player: () => later("20"),
      watch: () => sample("youtube/youtube.consent.html"),
      oembed: () => later("3"),
    });
    await expect(consent.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({ retryable: true, retryAfterSeconds: 20 });
    await expect(consent.ingest(LINK)).rejects.toMatchObject({ code: "cookie_wall" });
  });

  it("with partial results is accepted before the time of the attempt ends", async () => {
    const wire = await open({ timedtext: () => "hang" });
    const found = await wire.ingest(LINK, { sourceTimeoutMs: 4_000, timeoutMs: 60_000 });
    expect(found).toMatchObject({ title: "How a lighthouse lens bends light", warnings: [{ code: "no_transcript" }] });
  });

  it("has the data of the Data API if the operator has a key, which is sent nowhere else", async () => {
    const wire = await openWire({
      "www.youtube.com": () => ({ status: 500 }),
      "www.googleapis.com": () =>
        JSON.stringify({
          items: [
            {
              snippet: { title: "Lens", description: "A film.", channelTitle: "Harbour Lab", publishedAt: "2026-03-02T09:00:00Z" },
              contentDetails: { duration: "PT1M33S" },
              statistics: { viewCount: "7" },
            },
          ],
        }),
    });
    expect(await wire.ingest(LINK, { settings: { youtubeApiKey: "operators-key" } })).toMatchObject({
      title: "Lens",
      text: "A film.",
      metadata: { durationSeconds: 93, stats: { views: 7 }, publishedAt: "2026-03-02T09:00:00.000Z" },
      warnings: [{ code: "no_transcript" }],
    });
    for (const { host, headers, path } of wire.asked)
      if (host !== "www.googleapis.com") expect(JSON.stringify({ headers, path })).not.toContain("operators-key");
  });
});

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

describe("a playlist on YouTube", () => {
  const PLAYLIST = "https://www.youtube.com/playlist?list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf";
  const first = {
    metadata: { playlistMetadataRenderer: { title: "Lenses", description: "All about lenses." } },
    contents: { list: [playlistItem("aaaaaaaaaaa", "First"), lockup("bbbbbbbbbbb", "Second"), CONTINUATION] },
  };

  it("lists its videos in order, over several responses", async () => {
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

  it("is read from its page if the API fails", async () => {
    const tricky = 'A "} title; var ytInitialData = {';
    const data = JSON.stringify({ ...first, contents: [lockup("bbbbbbbbbbb", tricky)] });
    const wire = await openWire({
      "www.youtube.com": ({ path }) => (path === "/playlist" ? `<html><script>var ytInitialData = ${data};</script></html>` : undefined),
    });
    expect((await wire.ingest(PLAYLIST)).text).toContain(`1. ${tricky} · Harbour Lab · 2:05`);
  });

  it("has at least its latest videos, with a warning", async () => {
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
  ])("that is %s fails with that reason", async (_, text, code) => {
    const wire = await openWire({
      "www.youtube.com": () => JSON.stringify({ alerts: [{ alertRenderer: { text: { simpleText: text } } }] }),
    });
    await expect(wire.ingest(PLAYLIST)).rejects.toMatchObject({ code });
  });
});
