import { expect, it } from "vitest";
import { openWire, sample, type Source } from "../support/wire.ts";

const ID = "4rOoJ6Egrf8K2IrywzwOMk";
const link = (kind: string): string => `https://open.spotify.com/${kind}/${ID}?si=abc`;

const embed = (entity: unknown): string =>
  `<!DOCTYPE html><html><body><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps: { state: { data: { entity } } } } })}</script></body></html>`;
const page = (meta: Readonly<Record<string, string>>): string =>
  `<!DOCTYPE html><html lang="en"><head>${Object.entries(meta)
    .map(
      ([name, content]) =>
        `<meta ${name.startsWith("og:") || name.startsWith("music:") ? "property" : "name"}="${name}" content="${content}"/>`,
    )
    .join("")}</head><body></body></html>`;

const EPISODE = {
  type: "episode",
  name: "Lens Talk 12: Prisms",
  title: "Lens Talk 12: Prisms",
  subtitle: "Lens Talk",
  releaseDate: { isoString: "2026-03-02T09:00:00Z" },
  duration: 1_800_400,
  relatedEntityUri: "spotify:show:abc123",
  relatedEntityCoverArt: [
    { url: "https://i.example/64.jpg", maxWidth: 64 },
    { url: "https://i.example/640.jpg", maxWidth: 640 },
  ],
};
const WORDS = page({
  "og:title": "Lens Talk 12: Prisms",
  "og:description": "Lens Talk · Episode",
  description: "Listen to this episode from Lens Talk on Spotify. How prisms bend light, and why.",
});

type Parts = { readonly oembed?: Source; readonly embed?: Source; readonly page?: Source; readonly apple?: Source; readonly feed?: Source };
const open = (parts: Parts = {}) =>
  openWire({
    "open.spotify.com": (asked) => {
      if (asked.path === "/oembed") return (parts.oembed ?? (() => sample("audio/spotify.oembed.json")))(asked);
      return (asked.path.startsWith("/embed/") ? parts.embed : parts.page)?.(asked);
    },
    ...(parts.apple === undefined ? {} : { "itunes.apple.com": parts.apple }),
    ...(parts.feed === undefined ? {} : { "feeds.example.com": parts.feed }),
  });

it("an episode on Spotify has the data of its page, and a warning that there is no transcript", async () => {
  const wire = await open({ embed: () => embed(EPISODE), page: () => WORDS });
  const found = await wire.ingest(link("episode"));
  expect(found).toMatchObject({
    type: "SPOTIFY",
    title: "Lens Talk 12: Prisms",
    text: "How prisms bend light, and why.",
    metadata: {
      subtype: "EPISODE",
      author: "Lens Talk",
      authorUrl: "https://open.spotify.com/show/abc123",
      siteName: "Spotify",
      publishedAt: "2026-03-02T09:00:00.000Z",
      durationSeconds: 1_800,
      thumbnailUrl: "https://image-cdn.spotify.example/t",
      canonicalUrl: `https://open.spotify.com/episode/${ID}`,
    },
    warnings: [{ code: "no_transcript", message: expect.stringContaining("only the description") }],
  });
  expect(wire.calls.slice(0, 3)).toEqual([
    `GET open.spotify.com/oembed?url=https%3A%2F%2Fopen.spotify.com%2Fepisode%2F${ID}&format=json`,
    `GET open.spotify.com/embed/episode/${ID}`,
    `GET open.spotify.com/episode/${ID}`,
  ]);
});

it("an episode on Spotify is read from the feed of its show if the directory has exactly one of that name", async () => {
  const show = { collectionName: "Lens Talk", artistName: "Harbour Lab", feedUrl: "https://feeds.example.com/lens.xml" };
  const feed = (title: string) => () =>
    `<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Lens Talk</title><item><title>${title}</title><description>Whole notes.</description>` +
    `<podcast:transcript url="/t.vtt" type="text/vtt"/></item></channel></rss>`;
  const apple =
    (...results: unknown[]) =>
    () =>
      JSON.stringify({ results });
  const base = { embed: () => embed(EPISODE) };
  const whole = await open({
    ...base,
    apple: apple(show, { ...show, collectionName: "Lens Talk Extra" }),
    feed: ({ path }) => (path === "/t.vtt" ? "WEBVTT\n\n00:01.000 --> 00:02.000\nPrisms bend light." : feed("Lens Talk 12: Prisms")()),
  });
  const found = await whole.ingest(link("episode"));
  expect(found).toMatchObject({ text: "Whole notes.\n\nPrisms bend light.", segments: [{ seconds: 1 }], warnings: [] });
  const otherTitle = await open({ ...base, apple: apple(show), feed: feed("Another") });
  expect((await otherTitle.ingest(link("episode"))).text).toBe("Lens Talk 12: Prisms");
  const twoMakers = await open({ ...base, apple: apple(show, { ...show, artistName: "Others" }), feed: feed("Lens Talk 12: Prisms") });
  await twoMakers.ingest(link("episode"));
  expect(twoMakers.calls.some((call) => call.includes("feeds.example.com"))).toBe(false);
});

it("playlists and albums on Spotify list their titles", async () => {
  const tracks = [
    { title: "Foghorn", subtitle: "Harbour", duration: 200_000 },
    { title: "Tide", subtitle: "Harbour", duration: 61_000 },
  ];
  const wire = await open({ embed: () => embed({ type: "playlist", name: "Sea", title: "Sea", subtitle: "Ann", trackList: tracks }) });
  const found = await wire.ingest(link("playlist"));
  expect(found).toMatchObject({
    text: "1. Foghorn · Harbour · 3:20\n2. Tide · Harbour · 1:01",
    metadata: { author: "Ann" },
    warnings: [],
  });
});

it("music on Spotify has no text, with a warning", async () => {
  const track = {
    type: "track",
    name: "Foghorn",
    title: "Foghorn",
    artists: [{ name: "Ann", uri: "spotify:artist:a1" }, { name: "Bob" }],
    duration: 200_000,
  };
  const wire = await open({ embed: () => embed(track), page: () => page({ "og:description": "Ann · Sea · Song · 2020" }) });
  expect(await wire.ingest(link("track"))).toMatchObject({
    text: "Lens Talk 12: Prisms",
    metadata: { author: "Ann, Bob", authorUrl: "https://open.spotify.com/artist/a1", durationSeconds: 200 },
    warnings: [{ code: "no_transcript", message: expect.stringContaining("no public lyrics") }],
  });
});

it("content on Spotify has only its title if just oEmbed responds, whatever else it sends", async () => {
  for (const more of [
    () => undefined,
    () => "garbage",
    () => embed(null),
    () => "{}",
    () => embed({ name: 7, trackList: "x" }),
  ] as Source[]) {
    const wire = await open({ embed: more, page: more });
    expect(await wire.ingest(link("episode"))).toMatchObject({
      title: "Lens Talk 12: Prisms",
      text: "Lens Talk 12: Prisms",
      warnings: expect.arrayContaining([expect.objectContaining({ code: "no_transcript" })]),
    });
  }
});

it("missing or rate-limited content on Spotify fails with that reason", async () => {
  const gone = await open({ oembed: () => ({ status: 404, body: "{}" }) });
  await expect(gone.ingest(link("episode"))).rejects.toMatchObject({ code: "not_found" });
  const limited = await open({ oembed: () => ({ status: 429, headers: { "retry-after": "9" } }), embed: () => embed(EPISODE) });
  await expect(limited.ingest(link("episode"), { isLastAttempt: false })).rejects.toMatchObject({
    code: "rate_limited",
    retryAfterSeconds: 9,
  });
  const last = await limited.ingest(link("episode"));
  expect(last).toMatchObject({ title: "Lens Talk 12: Prisms", warnings: [{ code: "no_transcript" }, { code: "rate_limited" }] });
  const changed = await open({ oembed: () => "<html>no</html>" });
  await expect(changed.ingest(link("track"))).rejects.toMatchObject({ name: "IngestError" });
});

it("content on Spotify has a warning besides its title if a challenge or consent page replaces the page", async () => {
  const riddle = await open({ embed: () => "<title>Just a moment...</title>", page: () => "<title>Before you continue</title>" });
  const found = await riddle.ingest(link("episode"));
  expect(found.warnings.map(({ code }) => code)).toEqual(["no_transcript", "captcha", "cookie_wall"]);
  await expect(riddle.ingest(link("episode"), { isLastAttempt: false })).rejects.toMatchObject({ code: "captcha", retryable: true });
});

it("the text that Spotify puts around a description is excluded", async () => {
  const text = async (kind: string, description: string): Promise<string> => {
    const wire = await open({ page: () => page({ description }) });
    return (await wire.ingest(link(kind))).text;
  };
  expect(await text("show", "Listen to Dr. Lens on Spotify. All about rings.")).toBe("All about rings.");
  expect(await text("show", "Podcast · Harbour Lab · All about rings.")).toBe("All about rings.");
  expect(await text("episode", "Lens Talk · Episode")).toBe("Lens Talk 12: Prisms");
});
