import { expect, it } from "vitest";
import { openWire, type Source } from "../support/wire.ts";

const TRACK = "https://soundcloud.com/harbourlab/foghorn";
const OEMBED = {
  version: 1,
  type: "rich",
  provider_name: "SoundCloud",
  title: "Foghorn by Harbour Lab",
  description: "Recorded at the pier.",
  thumbnail_url: "https://i1.sndcdn.example/a.jpg",
  html: "<iframe></iframe>",
  author_name: "Harbour Lab",
  author_url: "https://soundcloud.com/harbourlab",
};
const SOUND = {
  title: "Foghorn",
  description: "Recorded at the pier.\nIn fog.",
  duration: 200_400,
  created_at: "2026-03-02T09:00:00Z",
  permalink_url: TRACK,
  playback_count: 40,
  likes_count: 4,
  comment_count: 2,
  reposts_count: 1,
  artwork_url: "https://i1.sndcdn.example/b.jpg",
  user: { username: "harbourlab", full_name: "Harbour Lab", permalink_url: "https://soundcloud.com/harbourlab" },
};
const page = (hydratable: string, data: unknown): string =>
  `<!DOCTYPE html><html><head><meta property="og:title" content="Foghorn"><meta property="og:description" content="From the head."></head>` +
  `<body><script>window.__sc_hydration = ${JSON.stringify([
    { hydratable: "geoip", data: {} },
    { hydratable, data },
  ])};</script></body></html>`;

const open = (parts: { readonly page?: Source; readonly oembed?: Source; readonly short?: Source } = {}) =>
  openWire({
    "soundcloud.com": (asked) => (asked.path === "/oembed" ? (parts.oembed ?? (() => JSON.stringify(OEMBED)))(asked) : parts.page?.(asked)),
    ...(parts.short === undefined ? {} : { "on.soundcloud.com": parts.short }),
  });

it("a track on SoundCloud has its description and counts, and a warning that there is no transcript", async () => {
  const wire = await open({ page: () => page("sound", SOUND) });
  const found = await wire.ingest(`${TRACK}?utm_source=x`);
  expect(found).toMatchObject({
    type: "SOUNDCLOUD",
    title: "Foghorn",
    text: "Recorded at the pier.\nIn fog.",
    metadata: {
      subtype: "TRACK",
      author: "Harbour Lab",
      siteName: "SoundCloud",
      publishedAt: "2026-03-02T09:00:00.000Z",
      durationSeconds: 200,
      canonicalUrl: TRACK,
      stats: { views: 40, likes: 4, comments: 2, shares: 1 },
    },
    warnings: [{ code: "no_transcript", message: expect.stringContaining("no transcript") }],
  });
  expect(wire.calls[0]).toBe("GET soundcloud.com/harbourlab/foghorn");
});

it("a track on SoundCloud has the data of oEmbed if its page cannot be read", async () => {
  for (const source of [
    () => undefined,
    () => ({ status: 503 }),
    () => "<html><script>window.__sc_hydration = [broken</script></html>",
  ] as Source[]) {
    const found = await (await open({ page: source })).ingest(TRACK);
    expect(found).toMatchObject({ title: "Foghorn", text: "Recorded at the pier.", metadata: { author: "Harbour Lab" } });
    expect(found.warnings[0]?.code).toBe("no_transcript");
  }
});

it("a set on SoundCloud lists its titles as far as they are known", async () => {
  const set = { title: "Sea", description: "Songs.", user: SOUND.user, tracks: [SOUND, { ...SOUND, title: "Tide", duration: 61_000 }] };
  const whole = await (await open({ page: () => page("playlist", set) })).ingest("https://soundcloud.com/harbourlab/sets/sea");
  expect(whole).toMatchObject({ text: "Songs.\n\n1. Foghorn · harbourlab · 3:20\n2. Tide · harbourlab · 1:01", warnings: [] });
  const part = await open({ page: () => page("playlist", { ...set, tracks: [SOUND, { id: 7 }] }) });
  expect((await part.ingest("https://soundcloud.com/harbourlab/sets/sea")).warnings).toMatchObject([{ code: "truncated" }]);
});

it("a short link of SoundCloud leads to its track", async () => {
  const wire = await open({
    short: () => ({ status: 302, headers: { location: `${TRACK}?si=1` } }),
    page: () => page("sound", SOUND),
  });
  expect(await wire.ingest("https://on.soundcloud.com/AbC12")).toMatchObject({ title: "Foghorn", metadata: { subtype: "TRACK" } });
});

it("missing, private or blocked content on SoundCloud fails with that reason", async () => {
  const gone = await open({ oembed: () => ({ status: 404 }) });
  await expect(gone.ingest(TRACK)).rejects.toMatchObject({ code: "not_found" });
  const hidden = await open({ oembed: () => ({ status: 403 }) });
  await expect(hidden.ingest(TRACK)).rejects.toMatchObject({ code: "private" });
  const riddle = await open({ page: () => "<title>Just a moment...</title>", oembed: () => "{}" });
  await expect(riddle.ingest(TRACK)).rejects.toMatchObject({ code: "captcha", retryable: true });
  const limited = await open({ page: () => ({ status: 429, headers: { "retry-after": "5" } }) });
  await expect(limited.ingest(TRACK, { isLastAttempt: false })).rejects.toMatchObject({ retryAfterSeconds: 5 });
  expect((await limited.ingest(TRACK)).warnings.map(({ code }) => code)).toEqual(["no_transcript", "rate_limited"]);
});
