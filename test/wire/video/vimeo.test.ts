import { expect, it } from "vitest";
import { type Answer, type Asked, openWire, sample } from "../support/wire.ts";

const LINK = "https://vimeo.com/123456789";
const CAPTIONS =
  "WEBVTT\n\n1\n00:00:01.000 --> 00:00:03.000\nA lens is a stack\nof prisms.\n\n2\n00:00:03.500 --> 00:00:05.000\nIt bends light.";

type Config = { request: Record<string, unknown>; video: Record<string, unknown> };
const config = (change: (answer: Config) => void = () => {}): string => {
  const answer = JSON.parse(sample("video/vimeo.player.config.json")) as Config;
  change(answer);
  return JSON.stringify(answer);
};

type Part = (asked: Asked) => Answer | undefined;
const open = (more: { oembed?: Part; config?: Part; captions?: Part; page?: Part } = {}) =>
  openWire({
    "vimeo.com": (asked) =>
      asked.path === "/api/oembed.json" ? (more.oembed ?? (() => sample("video/vimeo.oembed.json")))(asked) : more.page?.(asked),
    "player.vimeo.com": (asked) =>
      asked.path.startsWith("/texttrack/") ? (more.captions ?? (() => CAPTIONS))(asked) : (more.config ?? (() => config()))(asked),
  });

it("a video on Vimeo has its description, its captions with times, and its metadata", async () => {
  const wire = await open();
  const found = await wire.ingest(LINK);
  expect(found).toMatchObject({
    type: "VIMEO",
    title: "How a lighthouse lens bends light",
    text: "A short film about Fresnel lenses.\n\nA lens is a stack of prisms. It bends light.",
    metadata: {
      subtype: "VIDEO",
      author: "Harbour Lab",
      authorUrl: "https://vimeo.com/harbourlab",
      siteName: "Vimeo",
      publishedAt: "2026-03-02T09:00:00.000Z",
      durationSeconds: 93,
      thumbnailUrl: "https://i.vimeocdn.example/v_295x166",
      language: "en",
      canonicalUrl: LINK,
    },
    warnings: [],
  });
  expect(found.segments?.map(({ start, end, seconds }) => [found.text.slice(start, end), seconds])).toEqual([
    ["A lens is a stack of prisms.", 1],
    ["It bends light.", 3.5],
  ]);
  expect(wire.calls).toEqual([
    "GET vimeo.com/api/oembed.json?url=https%3A%2F%2Fvimeo.com%2F123456789",
    "GET player.vimeo.com/video/123456789/config",
    "GET player.vimeo.com/texttrack/1.vtt?token=fake",
  ]);
});

it.each([
  ["unlisted, by its path", `${LINK}/abcdef1234`, "123456789%2Fabcdef1234", "/video/123456789/config?h=abcdef1234"],
  ["unlisted, by its player", "https://player.vimeo.com/video/123456789?h=abcdef1234", "123456789%2Fabcdef1234", "/config?h=abcdef1234"],
  ["in a showcase", "https://vimeo.com/showcase/1234567/video/123456789", "vimeo.com%2F123456789", "/video/123456789/config"],
  ["in a channel", "https://vimeo.com/channels/staffpicks/123456789", "vimeo.com%2F123456789", "/video/123456789/config"],
])("a video on Vimeo that is %s is requested by its number", async (_, link, oembed, player) => {
  const wire = await open();
  expect((await wire.ingest(link)).segments).toHaveLength(2);
  expect(wire.calls[0]).toMatch(new RegExp(`${oembed}$`));
  expect(wire.calls[1]).toContain(player);
});

it("a video on Vimeo prefers written captions to automatic ones, and the operator's languages to all", async () => {
  const tracks = [
    { lang: "en-x-autogen", url: "/texttrack/auto.vtt", label: "English (auto-generated)" },
    { lang: "de", url: "https://player.vimeo.com/texttrack/de.vtt", label: "Deutsch" },
    { lang: "en", url: "/texttrack/en.vtt", label: "English" },
  ];
  const wire = await open({
    config: () => config(({ request }) => void (request["text_tracks"] = tracks)),
    captions: ({ path }) => `WEBVTT\n\n00:00.000 --> 00:01.000\nFrom ${path}`,
  });
  expect(await wire.ingest(LINK)).toMatchObject({ text: expect.stringContaining("/en.vtt"), metadata: { language: "en" } });
  const german = await wire.ingest(LINK, { settings: { transcriptLanguages: ["de"] } });
  expect(german).toMatchObject({ text: expect.stringContaining("/de.vtt"), metadata: { language: "de" } });
});

it("a video on Vimeo without captions has its description, with a warning and advice", async () => {
  for (const value of [[], undefined, "x"]) {
    const wire = await open({ config: () => config(({ request }) => void (request["text_tracks"] = value)) });
    expect(await wire.ingest(LINK)).toMatchObject({
      text: "A short film about Fresnel lenses.",
      warnings: [{ code: "no_transcript", message: "This video has no captions. Paste its text, or configure speech to text." }],
    });
  }
});

it("a video on Vimeo whose captions are empty has its description, with a warning", async () => {
  const wire = await open({ captions: () => "WEBVTT\n\n" });
  expect((await wire.ingest(LINK)).warnings).toEqual([{ code: "no_transcript", message: expect.stringContaining("could not be read") }]);
});

it("a video on Vimeo that must not be embedded is read through the player", async () => {
  for (const status of [403, 404]) {
    const wire = await open({ oembed: () => ({ status, body: "{}" }) });
    expect(await wire.ingest(LINK)).toMatchObject({
      title: "How a lighthouse lens bends light",
      metadata: { author: "Harbour Lab", thumbnailUrl: "https://i.vimeocdn.example/v" },
      segments: [{ seconds: 1 }, { seconds: 3.5 }],
    });
  }
});

it.each([
  [
    "private",
    { status: 403, body: '{"title":"Private Video","message":"Because of its privacy settings, this video cannot be played here."}' },
    "private",
  ],
  [
    "private, according to its page",
    { status: 403, body: "<html><p>Because of its privacy settings, this video cannot be played here.</p></html>" },
    "private",
  ],
  ["locked by a password", '{"view":4,"video":{"id":1}}', "private"],
  ["deleted", { status: 404, body: '{"title":"Sorry","message":"We could not find that video."}' }, "not_found"],
])("a video on Vimeo that is %s fails with that reason", async (_, answer, code) => {
  const wire = await open({ oembed: () => ({ status: 404 }), config: () => answer });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code, retryable: false, message: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(wire.calls).toHaveLength(2);
});

it.each([
  ["no JSON", "Hello"],
  ["a page", "<html></html>"],
  ["an empty object", "{}"],
  ["null", "null"],
  ["unexpected types", '{"video":[],"request":7}'],
])("a video on Vimeo is read from oEmbed if the player responds %s", async (_, answer) => {
  const wire = await open({ config: () => answer });
  const found = await wire.ingest(LINK);
  expect(found).toMatchObject({ text: "A short film about Fresnel lenses.", metadata: { durationSeconds: 93 } });
  expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "source_changed"]);
});

it("a video on Vimeo is read from its page if both APIs are blocked", async () => {
  const html =
    '<html><head><meta property="og:title" content="A lens on Vimeo"><meta property="og:description" content="Its words."></head></html>';
  const wire = await open({ oembed: () => ({ status: 403 }), config: () => sample("web/web.cloudflare.403.html"), page: () => html });
  const found = await wire.ingest(LINK);
  expect(found).toMatchObject({ title: "A lens", text: "Its words." });
  expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "captcha"]);
});

it("a video beyond a rate limit is retried after Vimeo's delay, and accepted incomplete in the last attempt", async () => {
  const wire = await open({ config: () => ({ status: 429, headers: { "retry-after": "7" } }) });
  await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 7 });
  expect((await wire.ingest(LINK)).warnings.map(({ code }) => code)).toEqual(["no_transcript", "rate_limited"]);
});

it("a video on Vimeo is read through the player if oEmbed hangs or is down", async () => {
  const wire = await open({ oembed: () => "hang" });
  expect((await wire.ingest(LINK, { sourceTimeoutMs: 5_000 })).segments).toHaveLength(2);
  const down = await openWire({ "player.vimeo.com": ({ path }) => (path.endsWith("/config") ? config() : CAPTIONS) });
  expect((await down.ingest(LINK)).segments).toHaveLength(2);
});

it("an event on Vimeo is read from oEmbed", async () => {
  const wire = await open();
  const found = await wire.ingest("https://vimeo.com/event/4242");
  expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript"]);
  expect(wire.calls).toEqual(["GET vimeo.com/api/oembed.json?url=https%3A%2F%2Fvimeo.com%2Fevent%2F4242"]);
});

const LIST = "https://vimeo.com/showcase/1234567";

it("a showcase on Vimeo has the data of its page, with a warning that this is little", async () => {
  const html =
    '<html><head><meta property="og:title" content="Lenses"><meta property="og:description" content="All of them."></head></html>';
  const wire = await open({ page: () => html });
  expect(await wire.ingest(LIST)).toMatchObject({
    title: "Lenses",
    text: "All of them.",
    metadata: { subtype: "SHOWCASE", siteName: "Vimeo" },
    warnings: [{ code: "thin_content" }],
  });
});

it("a showcase on Vimeo whose page is empty or missing fails with that reason", async () => {
  const shell = await open({ page: () => "<html><head><title>Vimeo</title></head></html>" });
  await expect(shell.ingest(LIST)).rejects.toMatchObject({ code: "source_changed" });
  await expect((await open()).ingest(LIST)).rejects.toMatchObject({ code: "not_found" });
});
