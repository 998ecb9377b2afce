import { expect, it } from "vitest";
import { openWire } from "../../support/wire.ts";

const ID = `UC${"a".repeat(22)}`;

const LINK = "https://www.youtube.com/post/UgkxAbCd";
const page = (post: unknown): string =>
  `<html><head><meta property="og:title" content="Post from Harbour Lab"><meta property="og:description" content="Short."></head><script>var ytInitialData = ${JSON.stringify({ contents: [{ backstagePostThreadRenderer: { post: { backstagePostRenderer: post } } }] })};</script></html>`;
const open = (html: string) => openWire({ "www.youtube.com": () => html });
const post = {
  postId: "UgkxAbCd",
  authorText: { runs: [{ text: "Harbour Lab" }] },
  authorEndpoint: { browseEndpoint: { browseId: ID } },
  contentText: {
    runs: [
      { text: "New film!\nSee " },
      {
        text: "https://example.org/a-lo...",
        navigationEndpoint: {
          urlEndpoint: { url: "https://www.youtube.com/redirect?event=x&q=https%3A%2F%2Fexample.org%2Fa-long-address" },
        },
      },
    ],
  },
  backstageAttachment: { pollRenderer: { choices: [{ text: { runs: [{ text: "Yes" }] } }, { text: { runs: [{ text: "No" }] } }, 7] } },
};

it("a post on YouTube has its complete text with links written out, and the options of its poll", async () => {
  expect(await (await open(page(post))).ingest(LINK)).toMatchObject({
    title: "New film!",
    text: "New film!\nSee https://example.org/a-long-address\n\n- Yes\n- No",
    metadata: { subtype: "POST", author: "Harbour Lab", authorUrl: `https://www.youtube.com/channel/${ID}`, canonicalUrl: LINK },
    warnings: [],
  });
});

it.each([
  ["nothing", {}],
  ["unexpected types", { contentText: { runs: "x" }, backstageAttachment: [7] }],
])("a post on YouTube has the metadata of its page, with a warning, if the data has %s", async (_, data) => {
  expect(await (await open(page(data))).ingest(LINK)).toMatchObject({ text: "Short.", warnings: [{ code: "thin_content" }] });
});

it("a clip on YouTube has the metadata of its page, with a warning", async () => {
  const wire = await open(
    '<html><head><meta property="og:title" content="✂️ The lens"><meta property="og:description" content="12 seconds."></head></html>',
  );
  expect(await wire.ingest("https://www.youtube.com/clip/UgkxAbCdEfGhIjKlMnOp")).toMatchObject({
    title: "✂️ The lens",
    metadata: { subtype: "CLIP" },
    warnings: [{ code: "thin_content" }],
  });
});

it("a post on YouTube whose page is empty fails with that reason", async () => {
  await expect((await open("<html><title>YouTube</title></html>")).ingest(LINK)).rejects.toMatchObject({ code: "source_changed" });
});
