import { expect, it } from "vitest";
import { sample } from "../support/wire.ts";
import { LINK, buildPage, changed, open } from "./tiktok-pages.ts";

const PHOTO = LINK.replace("video", "photo");

it("photos on TikTok have the author's text, without a warning", async () => {
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

it("photos on TikTok are read from oEmbed completely if their page is blocked", async () => {
  const wire = await open({ page: () => sample("video/tiktok.challenge.html") });
  expect(await wire.ingest(PHOTO)).toMatchObject({ text: "how a lighthouse lens works #optics", warnings: [] });
});

const ACCOUNT = "https://www.tiktok.com/@harbour.lab";

it("an account on TikTok has the data of its page, with a warning that this is little", async () => {
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

it("an account on TikTok has its Open Graph data if the page data is missing", async () => {
  const html =
    '<html><head><meta property="og:title" content="Harbour is live"><meta property="og:description" content="Now."></head></html>';
  const wire = await open({ page: () => html });
  expect(await wire.ingest(`${ACCOUNT}/live`)).toMatchObject({ title: "Harbour is live", text: "Now.", metadata: { subtype: "LIVE" } });
});

it.each([
  ["private", 10222, "private"],
  ["banned", 10221, "not_found"],
])("an account on TikTok that is %s fails with that reason", async (_, statusCode, code) => {
  const wire = await open({ page: () => buildPage({ "webapp.user-detail": { statusCode } }) });
  await expect(wire.ingest(ACCOUNT)).rejects.toMatchObject({ code });
});

it("an account on TikTok whose page is built by script only fails with that reason", async () => {
  const wire = await open({ page: () => "<html><head><title>TikTok - Make Your Day</title></head></html>" });
  await expect(wire.ingest(ACCOUNT)).rejects.toMatchObject({ code: "source_changed" });
});
