import { expect, it } from "vitest";
import { openWire, sample } from "../support/wire.ts";
import { ID, LINK, SYNDICATION, FX, respondWith } from "./x-sources.ts";

const tweet = (more: Record<string, unknown> = {}): string =>
  JSON.stringify({ ...(JSON.parse(sample("social/x.syndication.tweet.json")) as object), ...more });
const CUT = {
  text: "A lighthouse lens is a stack of prisms, and… https://t.co/zzz",
  note_tweet: { id: "Tm90ZQ==" },
  display_text_range: [0, 43],
};

it("a post on X has its text with links written out, and its metadata", async () => {
  const wire = await openWire({ [SYNDICATION]: respondWith(tweet()) });
  const found = await wire.ingest(LINK);
  expect(found).toEqual({
    type: "X",
    title: "Harbour Lab on X: A lighthouse lens is a stack of prisms. https://example.com/lens",
    text: "A lighthouse lens is a stack of prisms. https://example.com/lens",
    metadata: {
      subtype: "POST",
      author: "Harbour Lab",
      authorUrl: "https://x.com/harbourlab",
      siteName: "X",
      publishedAt: "2024-05-13T12:00:00.000Z",
      language: "en",
      canonicalUrl: `https://x.com/harbourlab/status/${ID}`,
      stats: { likes: 321, comments: 12 },
      wordCount: 12,
    },
    warnings: [],
  });
  expect(wire.calls).toEqual([`GET ${SYNDICATION}/tweet-result?lang=en&id=${ID}&token=4c7g8auqyik`]);
});

it.each(["https://twitter.com/i/web/status/", "https://fxtwitter.com/a/status/", "https://x.com/harbourlab/article/"])(
  "a post on X is read from %s too",
  async (start) => {
    const wire = await openWire({ [SYNDICATION]: respondWith(tweet()) });
    expect(await wire.ingest(start + ID)).toMatchObject({ type: "X", text: expect.stringContaining("prisms") });
  },
);

it("a post on X keeps line breaks and escapes, and excludes reply mentions and links of its own images", async () => {
  const wire = await openWire({
    [SYNDICATION]: respondWith(
      tweet({
        text: "@keeper @prism Rings &amp; steps:\n1 &lt; 2 👇 https://t.co/pic",
        display_text_range: [15, 40],
        entities: { media: [{ url: "https://t.co/pic" }] },
        mediaDetails: [
          { type: "photo", url: "https://t.co/pic", media_url_https: "https://pbs.twimg.example/1.jpg", ext_alt_text: "A lens." },
        ],
        lang: "zxx",
      }),
    ),
  });
  const found = await wire.ingest(LINK);
  expect(found.text).toBe("Rings & steps:\n1 < 2 👇\n\nA lens.");
  expect(found.metadata.thumbnailUrl).toBe("https://pbs.twimg.example/1.jpg");
  expect(found.metadata.language).toBeUndefined();
});

it("a post on X has the post it replies to before it and the quoted post after it, as quotes, and its poll", async () => {
  const other = (text: string, name: string) => ({ id_str: "55", text, user: { name, screen_name: "o" } });
  const wire = await openWire({
    [SYNDICATION]: respondWith(
      tweet({
        text: "Which one? https://t.co/q",
        entities: { urls: [{ url: "https://t.co/q", expanded_url: "https://twitter.com/o/status/55" }] },
        quoted_tweet: other("Two lenses.\nOne tower.", "Prism Fan"),
        parent: other("Ask me.", "Keeper"),
        card: {
          name: "poll2choice_text_only",
          binding_values: { choice1_label: { string_value: "Old" }, choice2_label: { string_value: "New" } },
        },
      }),
    ),
  });
  expect((await wire.ingest(LINK)).text).toBe("> Keeper: Ask me.\n\nWhich one?\n\n- Old\n- New\n\n> Prism Fan: Two lenses.\n> One tower.");
});

it("a post on X with a video has a warning that its speech is missing", async () => {
  const wire = await openWire({ [SYNDICATION]: respondWith(tweet({ mediaDetails: [{ type: "video", url: "https://t.co/v" }] })) });
  expect((await wire.ingest(LINK)).warnings.map(({ code }) => code)).toEqual(["no_transcript"]);
});

it("a post on X that is long has its start only, with a warning, unless FxTwitter is enabled", async () => {
  const sources = { [SYNDICATION]: respondWith(tweet(CUT)), [FX]: respondWith(sample("social/x.fxtwitter.json")) };
  const wire = await openWire(sources);
  expect(await wire.ingest(LINK)).toMatchObject({
    text: "A lighthouse lens is a stack of prisms, and…",
    warnings: [{ code: "truncated", message: expect.stringContaining("FxTwitter") }],
  });
  expect(wire.calls).toHaveLength(1);
  const allowed = await openWire(sources);
  expect(await allowed.ingest(LINK, { settings: { fxTwitter: true } })).toMatchObject({
    text: "A lighthouse lens is a stack of prisms. https://example.com/lens",
    metadata: { stats: { views: 9000, likes: 321, comments: 12, shares: 34 }, publishedAt: "2024-05-13T12:00:00.000Z" },
    warnings: [],
  });
  expect(allowed.calls[1]).toBe(`GET ${FX}/i/status/${ID}`);
  const broken = await openWire({ ...sources, [FX]: respondWith({ status: 500, body: "{}" }) });
  expect((await broken.ingest(LINK, { settings: { fxTwitter: true } })).text).toMatch(/and…$/);
});

it("an article on X is read from FxTwitter completely", async () => {
  const article = {
    title: "On lenses",
    preview_text: "Prisms…",
    content: {
      blocks: [
        { type: "header-two", text: "Rings" },
        { type: "unstyled", text: "They bend light." },
        { type: "unordered-list-item", text: "one" },
        { type: "unordered-list-item", text: "two" },
        { type: "__proto__", text: "Last." },
      ],
    },
  };
  const answer = JSON.parse(sample("social/x.fxtwitter.json")) as { tweet: Record<string, unknown> };
  Object.assign(answer.tweet, { text: "", article });
  const wire = await openWire({
    [SYNDICATION]: respondWith(tweet({ text: "https://t.co/a", entities: {}, article: { title: "On lenses", preview_text: "Prisms…" } })),
    [FX]: respondWith(JSON.stringify(answer)),
  });
  const found = await wire.ingest(LINK, { settings: { fxTwitter: true } });
  expect(found).toMatchObject({ title: "On lenses", text: "## Rings\n\nThey bend light.\n\n- one\n- two\n\nLast." });
  expect(await wire.ingest(LINK)).toMatchObject({ title: "On lenses", warnings: [{ code: "truncated" }] });
});

it("a post on X with half surrogate pairs in a name is read", async () => {
  const wire = await openWire({ [SYNDICATION]: respondWith(tweet({ user: { name: "\ud800", screen_name: "\ud800" } })) });
  expect((await wire.ingest(LINK)).metadata.authorUrl).toBe("https://x.com/%EF%BF%BD");
});

it("a post on X accepts entities at invalid positions and of invalid types", async () => {
  const odd = tweet({
    display_text_range: "x",
    entities: { urls: [null, 7, { url: "https://t.co/abc", expanded_url: 3 }] },
    mediaDetails: [null],
    quoted_tweet: "no",
    parent: [],
    card: { binding_values: [] },
    note_tweet: null,
  });
  const wire = await openWire({ [SYNDICATION]: respondWith(odd) });
  expect((await wire.ingest(LINK)).text).toBe("A lighthouse lens is a stack of prisms. https://t.co/abc");
});
