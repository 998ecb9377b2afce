import { describe, expect, it } from "vitest";
import { type Answer, type Asked, openWire, sample } from "../support/wire.ts";

const LINK = "https://www.tiktok.com/@harbour.lab/video/7301234567890123456";
const CDN = "v16-webapp.tiktokcdn.example";

type Item = Record<string, unknown> & { video?: Record<string, unknown> };
const readPageData = (html: string): { __DEFAULT_SCOPE__: Record<string, Record<string, unknown>> } =>
  JSON.parse(/type="application\/json">(.*)<\/script>/s.exec(html)?.[1] ?? "") as never;

const buildPage = (scope: unknown): string =>
  `<!DOCTYPE html><html><head><title>TikTok - Make Your Day</title></head><body><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${JSON.stringify({ __DEFAULT_SCOPE__: scope })}</script></body></html>`;

/** The page of the sample with a changed post. */
function changed(change: (item: Item) => void): string {
  const { __DEFAULT_SCOPE__: scope } = readPageData(sample("video/tiktok.page.html"));
  change((scope["webapp.video-detail"] as { itemInfo: { itemStruct: Item } }).itemInfo.itemStruct);
  return buildPage(scope);
}
const rejectedPage = (statusCode: number, statusMsg = ""): string => buildPage({ "webapp.video-detail": { statusCode, statusMsg } });

type Part = (asked: Asked) => Answer | undefined;
const open = (more: { page?: Part; oembed?: Part; captions?: Part } = {}) =>
  openWire({
    "www.tiktok.com": (asked) => {
      if (asked.path === "/oembed") return (more.oembed ?? (() => sample("video/tiktok.oembed.json")))(asked);
      return (more.page ?? (() => sample("video/tiktok.page.html")))(asked);
    },
    [CDN]: more.captions ?? (() => sample("video/tiktok.subtitles.vtt")),
  });

describe("a video on TikTok", () => {
  it("has its description, its captions with times, and its metadata", async () => {
    const wire = await open();
    const found = await wire.ingest(`${LINK}?is_from_webapp=1`);
    expect(found).toMatchObject({
      type: "TIKTOK",
      title: "how a lighthouse lens works #optics",
      text: "how a lighthouse lens works #optics\n\nA lighthouse lens is a stack of prisms. Each ring bends light flat.",
      metadata: {
        subtype: "VIDEO",
        author: "Harbour Lab",
        authorUrl: "https://www.tiktok.com/@harbour.lab",
        siteName: "TikTok",
        publishedAt: "2026-03-02T09:00:00.000Z",
        durationSeconds: 31,
        language: "en-US",
        canonicalUrl: LINK,
        stats: { views: 90_000, likes: 1_200, comments: 44, shares: 30, saves: 5 },
      },
      warnings: [],
    });
    expect(found.segments?.map(({ start, end, seconds }) => [found.text.slice(start, end), seconds])).toEqual([
      ["A lighthouse lens is a stack of prisms.", 0.16],
      ["Each ring bends light flat.", 2.5],
    ]);
    expect(wire.calls).toEqual(["GET www.tiktok.com/@harbour.lab/video/7301234567890123456", `GET ${CDN}/sub.vtt`]);
  });

  it("is requested by its number if an embed has no author", async () => {
    const wire = await open();
    await wire.ingest("https://www.tiktok.com/embed/v2/7301234567890123456");
    expect(wire.calls[0]).toBe("GET www.tiktok.com/@_/video/7301234567890123456");
  });

  it.each(["https://vm.tiktok.com/ZMabc123/", "https://www.tiktok.com/t/ZTabc123/"])("is found by the short link %s", async (link) => {
    const sent = { status: 301, headers: { location: `${LINK}?_r=1&_t=x` } };
    const wire = await openWire({
      "vm.tiktok.com": () => sent,
      "www.tiktok.com": ({ path }) => (path.startsWith("/t/") ? sent : sample("video/tiktok.page.html")),
      [CDN]: () => sample("video/tiktok.subtitles.vtt"),
    });
    expect(await wire.ingest(link)).toMatchObject({ segments: [{ seconds: 0.16 }, { seconds: 2.5 }], metadata: { canonicalUrl: LINK } });
  });

  it("is found by a short link with a challenge page, from the address alone", async () => {
    const wire = await openWire({
      "vt.tiktok.com": () => ({ status: 302, headers: { location: `${LINK}?_r=1` } }),
      "www.tiktok.com": ({ path }) => (path === "/oembed" ? sample("video/tiktok.oembed.json") : sample("video/tiktok.challenge.html")),
    });
    const found = await wire.ingest("https://vt.tiktok.com/ZSabc123/");
    expect(found).toMatchObject({ text: "how a lighthouse lens works #optics", metadata: { author: "Harbour Lab" } });
    expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "captcha"]);
    expect(wire.calls.at(-1)).toContain("oembed?url=https%3A%2F%2Fwww.tiktok.com%2F%40harbour.lab%2Fvideo%2F7301234567890123456");
  });

  it("whose short link leads to the front page is missing", async () => {
    const wire = await openWire({
      "vm.tiktok.com": () => ({ status: 302, headers: { location: "https://www.tiktok.com/?_r=1" } }),
      "www.tiktok.com": () => buildPage({ "webapp.app-context": {} }),
    });
    await expect(wire.ingest("https://vm.tiktok.com/ZMgone/")).rejects.toMatchObject({ code: "not_found" });
  });

  it("prefers original to translated captions, and the operator's languages to all", async () => {
    const tracks = [
      { LanguageCodeName: "spa-ES", Url: `https://${CDN}/es.vtt`, Format: "webvtt", Source: "MT" },
      { LanguageCodeName: "deu-DE", Url: `https://${CDN}/de.vtt`, Format: "webvtt", Source: "ASR" },
    ];
    const wire = await open({
      page: () => changed(({ video }) => void (video!["subtitleInfos"] = tracks)),
      captions: ({ path }) => `WEBVTT\n\n00:00.000 --> 00:01.000\nFrom ${path}`,
    });
    expect(await wire.ingest(LINK)).toMatchObject({ text: expect.stringContaining("From /de.vtt"), metadata: { language: "de-DE" } });
    const spanish = await wire.ingest(LINK, { settings: { transcriptLanguages: ["fr", "es"] } });
    expect(spanish).toMatchObject({ text: expect.stringContaining("From /es.vtt"), metadata: { language: "es-ES" } });
  });

  it("has the author's own captions, which are JSON", async () => {
    const utterances = [{ start_time: 500, end_time: 900, text: "Typed by hand." }];
    const wire = await open({ captions: () => JSON.stringify({ utterances }) });
    expect(await wire.ingest(LINK)).toMatchObject({ text: expect.stringContaining("Typed by hand."), segments: [{ seconds: 0.5 }] });
  });

  it("without captions has its description, with a warning and advice", async () => {
    const wire = await open({ page: () => changed(({ video }) => void (video!["subtitleInfos"] = [])) });
    expect(await wire.ingest(LINK)).toMatchObject({
      text: "how a lighthouse lens works #optics",
      warnings: [{ code: "no_transcript", message: "This video has no captions. Paste its text, or configure speech to text." }],
    });
    expect(wire.calls).toHaveLength(1);
  });

  it.each([
    ["empty", ""],
    ["a page", "<html><p>Denied</p></html>"],
    ["invalid", "{]"],
    ["expired", { status: 403, body: "Denied" }],
  ])("whose captions are %s has its description, with a warning", async (_, answer) => {
    const wire = await open({ captions: () => answer });
    expect(await wire.ingest(LINK)).toMatchObject({
      text: "how a lighthouse lens works #optics",
      metadata: { author: "Harbour Lab", stats: { views: 90_000 } },
      warnings: [{ code: "no_transcript", message: expect.stringContaining("could not be read") }],
    });
    expect(wire.calls.some((call) => call.includes("/oembed"))).toBe(false);
  });

  it.each([
    ["of a private account", rejectedPage(10222), "private"],
    ["that is private", rejectedPage(10216), "private"],
    ["that only its author sees", rejectedPage(10204, "status_self_see"), "private"],
    ["that was deleted", rejectedPage(10204, "item_privacy_authorization&status_deleted"), "not_found"],
    ["that is blocked in this country", rejectedPage(10204, "cross_border_violation_ur"), "region_locked"],
  ])("%s fails with that reason, without further requests", async (_, page, code) => {
    const wire = await open({ page: () => page });
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ code, retryable: false, message: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(wire.calls).toHaveLength(1);
  });

  it("withheld by the page without a reason is read from oEmbed, or missing if that has nothing either", async () => {
    const wire = await open({ page: () => rejectedPage(10204) });
    expect(await wire.ingest(LINK)).toMatchObject({ text: "how a lighthouse lens works #optics", warnings: [{ code: "no_transcript" }] });
    for (const status of [400, 200]) {
      const gone = await open({
        page: () => rejectedPage(10204),
        oembed: () => ({ status, body: sample("video/tiktok.oembed.error.json") }),
      });
      await expect(gone.ingest(LINK)).rejects.toMatchObject({ code: "not_found" });
    }
  });

  it("for logged-in adults only has its caption, with a warning", async () => {
    const adult = changed((item) => {
      delete item.video;
      item["isContentClassified"] = true;
    });
    const found = await (await open({ page: () => adult })).ingest(LINK);
    expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "age_restricted"]);
  });

  it.each([
    ["a challenge", () => sample("video/tiktok.challenge.html"), "captcha"],
    ["a login", () => ({ status: 302, headers: { location: "https://www.tiktok.com/login?redirect_url=x" } }), "login_wall"],
    ["an empty page", () => "<html></html>", "source_changed"],
    ["unexpected types", () => buildPage({ "webapp.video-detail": { statusCode: "x", itemInfo: [[7]] } }), "source_changed"],
    ["invalid data", () => sample("video/tiktok.page.html").replace("statusCode", '"'), "source_changed"],
  ])("whose page is %s is read from oEmbed, with the reason", async (_, answer, code) => {
    const wire = await open({ page: ({ path }) => (path === "/login" ? "<html>Log in</html>" : answer()) });
    const found = await wire.ingest(LINK);
    expect(found).toMatchObject({ text: "how a lighthouse lens works #optics", metadata: { author: "Harbour Lab", siteName: "TikTok" } });
    expect(found.warnings.map((one) => one.code)).toEqual(["no_transcript", code]);
  });

  it("beyond a rate limit is retried after TikTok's delay, and accepted incomplete in the last attempt", async () => {
    const wire = await open({ page: () => ({ status: 429, headers: { "retry-after": "9" } }) });
    const later = { code: "rate_limited", retryable: true, retryAfterSeconds: 9 };
    await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject(later);
    expect((await wire.ingest(LINK)).warnings.map(({ code }) => code)).toEqual(["no_transcript", "rate_limited"]);
    const captions = await open({ captions: () => ({ status: 429, headers: { "retry-after": "9" } }) });
    await expect(captions.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject(later);
    expect((await captions.ingest(LINK)).warnings.map(({ code }) => code)).toEqual(["no_transcript", "rate_limited"]);
  });

  it("fails with the error of the page if no source responds, and is retried", async () => {
    const wire = await openWire({});
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "name_not_found" });
  });

  it("without any text fails with that reason", async () => {
    const silent = changed((item) => {
      item["desc"] = "";
      item.video!["subtitleInfos"] = [];
    });
    const wire = await open({ page: () => silent, oembed: () => ({ status: 500 }) });
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "no_text", message: expect.stringContaining("neither a description") });
  });
});

describe("photos on TikTok", () => {
  const PHOTO = LINK.replace("video", "photo");

  it("have the author's text, without a warning", async () => {
    const photos = changed((item) => {
      item["imagePost"] = { title: "Three lenses", images: [{ imageURL: { urlList: ["https://p16.example/1.jpeg"] } }] };
      item["desc"] = "First line.\nSecond line. #optics";
    });
    const wire = await open({ page: () => photos });
    expect(await wire.ingest(PHOTO)).toMatchObject({
      title: "Three lenses",
      text: "Three lenses\n\nFirst line.\nSecond line. #optics",
      metadata: { subtype: "PHOTO", canonicalUrl: PHOTO, thumbnailUrl: "https://p16.example/1.jpeg" },
      warnings: [],
    });
    expect(wire.calls).toHaveLength(1);
  });

  it("are read from oEmbed completely if their page is blocked", async () => {
    const wire = await open({ page: () => sample("video/tiktok.challenge.html") });
    expect(await wire.ingest(PHOTO)).toMatchObject({ text: "how a lighthouse lens works #optics", warnings: [] });
  });
});

describe("an account on TikTok", () => {
  const ACCOUNT = "https://www.tiktok.com/@harbour.lab";

  it("has the data of its page, with a warning that this is little", async () => {
    const detail = {
      userInfo: { user: { nickname: "Harbour Lab", signature: "Light and water." }, stats: { followerCount: 12, videoCount: 3 } },
    };
    const wire = await open({ page: () => buildPage({ "webapp.user-detail": detail }) });
    expect(await wire.ingest(ACCOUNT)).toMatchObject({
      title: "Harbour Lab",
      text: "Light and water.",
      metadata: { subtype: "PROFILE", stats: { followers: 12, videos: 3 } },
      warnings: [{ code: "thin_content" }],
    });
  });

  it("has its Open Graph data if the page data is missing", async () => {
    const html =
      '<html><head><meta property="og:title" content="Harbour is live"><meta property="og:description" content="Now."></head></html>';
    const wire = await open({ page: () => html });
    expect(await wire.ingest(`${ACCOUNT}/live`)).toMatchObject({ title: "Harbour is live", text: "Now.", metadata: { subtype: "LIVE" } });
  });

  it.each([
    ["private", 10222, "private"],
    ["banned", 10221, "not_found"],
  ])("that is %s fails with that reason", async (_, statusCode, code) => {
    const wire = await open({ page: () => buildPage({ "webapp.user-detail": { statusCode } }) });
    await expect(wire.ingest(ACCOUNT)).rejects.toMatchObject({ code });
  });

  it("whose page is built by script only fails with that reason", async () => {
    const wire = await open({ page: () => "<html><head><title>TikTok - Make Your Day</title></head></html>" });
    await expect(wire.ingest(ACCOUNT)).rejects.toMatchObject({ code: "source_changed" });
  });
});
