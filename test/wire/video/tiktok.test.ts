import { expect, it } from "vitest";
import { openWire, sample } from "../support/wire.ts";
import { LINK, CDN, buildPage, changed, open } from "./tiktok-pages.ts";

const rejectedPage = (statusCode: number, statusMsg = ""): string => buildPage({ "webapp.video-detail": { statusCode, statusMsg } });

it("a video on TikTok has its description, its captions with times, and its metadata", async () => {
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

it("a video on TikTok is requested by its number if an embed has no author", async () => {
  const wire = await open();
  await wire.ingest("https://www.tiktok.com/embed/v2/7301234567890123456");
  expect(wire.calls[0]).toBe("GET www.tiktok.com/@_/video/7301234567890123456");
});

it.each(["https://vm.tiktok.com/ZMabc123/", "https://www.tiktok.com/t/ZTabc123/"])(
  "a video on TikTok is found by the short link %s",
  async (link) => {
    const sent = { status: 301, headers: { location: `${LINK}?_r=1&_t=x` } };
    const wire = await openWire({
      "vm.tiktok.com": () => sent,
      "www.tiktok.com": ({ path }) => (path.startsWith("/t/") ? sent : sample("video/tiktok.page.html")),
      [CDN]: () => sample("video/tiktok.subtitles.vtt"),
    });
    expect(await wire.ingest(link)).toMatchObject({ segments: [{ seconds: 0.16 }, { seconds: 2.5 }], metadata: { canonicalUrl: LINK } });
  },
);

it("a video on TikTok is found by a short link with a challenge page, from the address alone", async () => {
  const wire = await openWire({
    "vt.tiktok.com": () => ({ status: 302, headers: { location: `${LINK}?_r=1` } }),
    "www.tiktok.com": ({ path }) => (path === "/oembed" ? sample("video/tiktok.oembed.json") : sample("video/tiktok.challenge.html")),
  });
  const found = await wire.ingest("https://vt.tiktok.com/ZSabc123/");
  expect(found).toMatchObject({ text: "how a lighthouse lens works #optics", metadata: { author: "Harbour Lab" } });
  expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "captcha"]);
  expect(wire.calls.at(-1)).toContain("oembed?url=https%3A%2F%2Fwww.tiktok.com%2F%40harbour.lab%2Fvideo%2F7301234567890123456");
});

it("a video on TikTok whose short link leads to the front page is missing", async () => {
  const wire = await openWire({
    "vm.tiktok.com": () => ({ status: 302, headers: { location: "https://www.tiktok.com/?_r=1" } }),
    "www.tiktok.com": () => buildPage({ "webapp.app-context": {} }),
  });
  await expect(wire.ingest("https://vm.tiktok.com/ZMgone/")).rejects.toMatchObject({ code: "not_found" });
});

it.each([
  ["of a private account", rejectedPage(10222), "private"],
  ["that is private", rejectedPage(10216), "private"],
  ["that only its author sees", rejectedPage(10204, "status_self_see"), "private"],
  ["that was deleted", rejectedPage(10204, "item_privacy_authorization&status_deleted"), "not_found"],
  ["that is blocked in this country", rejectedPage(10204, "cross_border_violation_ur"), "region_locked"],
])("a video on TikTok %s fails with that reason, without further requests", async (_, page, code) => {
  const wire = await open({ page: () => page });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code, retryable: false, message: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(wire.calls).toHaveLength(1);
});

it("a video on TikTok withheld by the page without a reason is read from oEmbed, or missing if that has nothing either", async () => {
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

it("a video on TikTok for logged-in adults only has its caption, with a warning", async () => {
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
])("a video on TikTok whose page is %s is read from oEmbed, with the reason", async (_, answer, code) => {
  const wire = await open({ page: ({ path }) => (path === "/login" ? "<html>Log in</html>" : answer()) });
  const found = await wire.ingest(LINK);
  expect(found).toMatchObject({ text: "how a lighthouse lens works #optics", metadata: { author: "Harbour Lab", siteName: "TikTok" } });
  expect(found.warnings.map((one) => one.code)).toEqual(["no_transcript", code]);
});

it("a video beyond a rate limit is retried after TikTok's delay, and accepted incomplete in the last attempt", async () => {
  const wire = await open({ page: () => ({ status: 429, headers: { "retry-after": "9" } }) });
  const later = { code: "rate_limited", retryable: true, retryAfterSeconds: 9 };
  await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject(later);
  expect((await wire.ingest(LINK)).warnings.map(({ code }) => code)).toEqual(["no_transcript", "rate_limited"]);
  const captions = await open({ captions: () => ({ status: 429, headers: { "retry-after": "9" } }) });
  await expect(captions.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject(later);
  expect((await captions.ingest(LINK)).warnings.map(({ code }) => code)).toEqual(["no_transcript", "rate_limited"]);
});

it("a video on TikTok fails with the error of the page if no source responds, and is retried", async () => {
  const wire = await openWire({});
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "name_not_found" });
});

it("a video on TikTok without any text fails with that reason", async () => {
  const silent = changed((item) => {
    item["desc"] = "";
    item.video!["subtitleInfos"] = [];
  });
  const wire = await open({ page: () => silent, oembed: () => ({ status: 500 }) });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "no_text", message: expect.stringContaining("neither a description") });
});
