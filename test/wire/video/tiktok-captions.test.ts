import { expect, it } from "vitest";
import { LINK, CDN, changed, open } from "./tiktok-pages.ts";

it("a video on TikTok prefers original to translated captions, and the operator's languages to all", async () => {
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

it("a video on TikTok has the author's own captions, which are JSON", async () => {
  const utterances = [{ start_time: 500, end_time: 900, text: "Typed by hand." }];
  const wire = await open({ captions: () => JSON.stringify({ utterances }) });
  expect(await wire.ingest(LINK)).toMatchObject({ text: expect.stringContaining("Typed by hand."), segments: [{ seconds: 0.5 }] });
});

it("a video on TikTok without captions has its description, with a warning and advice", async () => {
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
])("a video on TikTok whose captions are %s has its description, with a warning", async (_, answer) => {
  const wire = await open({ captions: () => answer });
  expect(await wire.ingest(LINK)).toMatchObject({
    text: "how a lighthouse lens works #optics",
    metadata: { author: "Harbour Lab", stats: { views: 90_000 } },
    warnings: [{ code: "no_transcript", message: expect.stringContaining("could not be read") }],
  });
  expect(wire.calls.some((call) => call.includes("/oembed"))).toBe(false);
});
