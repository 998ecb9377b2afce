import { expect, it } from "vitest";
import { openWire, sample } from "../support/wire.ts";

const ALGOLIA = "hn.algolia.com";
const FIREBASE = "hacker-news.firebaseio.com";
const ID = 40000001;
const LINK = `https://news.ycombinator.com/item?id=${ID}`;

const comment = (author: string | null, text: string | null, children: unknown[] = []) => ({ type: "comment", author, text, children });
const createStory = (more: Record<string, unknown> = {}): string =>
  JSON.stringify({ ...(JSON.parse(sample("social/hackernews.algolia.item.json")) as object), ...more });

it("an item on Hacker News has its title, link, comments and metadata", async () => {
  const wire = await openWire({ [ALGOLIA]: () => createStory() });
  expect(await wire.ingest(LINK)).toEqual({
    type: "HACKERNEWS",
    title: "How lighthouse lenses work",
    text: "https://example.com/lens\n\n- prism: Less glass, same bending.",
    metadata: {
      subtype: "ITEM",
      author: "jane",
      authorUrl: "https://news.ycombinator.com/user?id=jane",
      siteName: "Hacker News",
      publishedAt: "2026-03-02T09:00:00.000Z",
      canonicalUrl: LINK,
      stats: { points: 120 },
      wordCount: 9,
    },
    warnings: [],
  });
  expect(wire.calls).toEqual([`GET ${ALGOLIA}/api/v1/items/${ID}`]);
});

it("an item on Hacker News keeps the order of comments, excludes deleted ones, and parses HTML", async () => {
  const wire = await openWire({
    [ALGOLIA]: () =>
      createStory({
        url: null,
        text: "Ask: why?<p>Two &amp; two.<p><pre><code>  x = 1\n  y = 2</code></pre>",
        children: [
          comment("a", 'First <a href="https:&#x2F;&#x2F;e.example&#x2F;" rel="nofollow">https:&#x2F;&#x2F;e.example&#x2F;</a><p>More.', [
            comment("b", "Reply."),
            comment(null, null, [comment("c", "Below deleted.")]),
          ]),
          comment(null, null),
          comment("d", "[flagged]"),
          comment("e", "Last."),
        ],
      }),
  });
  const { text } = await wire.ingest(LINK);
  expect(text).toContain("Ask: why?\n\nTwo & two.");
  expect(text).toContain("- a: First https://e.example/\n\n  More.\n  - b: Reply.\n  - c: Below deleted.\n- e: Last.");
});

it("an item on Hacker News that is a comment has its text and the replies", async () => {
  const wire = await openWire({
    [ALGOLIA]: () =>
      createStory({
        type: "comment",
        title: null,
        url: null,
        author: "prism",
        text: "<p>Less glass.",
        children: [comment("jane", "Yes.")],
      }),
  });
  expect(await wire.ingest(LINK)).toMatchObject({ title: "prism on Hacker News: Less glass.", text: "Less glass.\n\n- jane: Yes." });
});

it("an item on Hacker News with a poll lists its options", async () => {
  const wire = await openWire({
    [ALGOLIA]: () => createStory({ url: null, options: [{ text: "Old" }, { text: "New" }, 7], children: [] }),
  });
  expect((await wire.ingest(LINK)).text).toBe("- Old\n- New");
});

it("an item with a million comments, nested endlessly, is read in bounded time with a warning", async () => {
  let deep: unknown = comment("x", "Bottom.");
  for (let level = 0; level < 2_000; level++) deep = comment("x", "Down.", [deep]);
  const many = Array.from({ length: 60_000 }, (_, place) => ({
    author: place % 2 ? "a" : null,
    text: place % 2 ? "Words." : null,
    children: [],
  }));
  const wire = await openWire({ [ALGOLIA]: () => createStory({ children: [deep, ...many] }) });
  const found = await wire.ingest(LINK);
  expect(found.text.split("\n").length).toBeLessThan(120);
  expect(found.warnings.map(({ code }) => code)).toEqual(["truncated"]);
});

it("an item on Hacker News is read from the second API, with its first comments, if the first one does not have it", async () => {
  const items: Record<string, unknown> = {
    [ID]: { ...(JSON.parse(sample("social/hackernews.firebase.item.json")) as object), kids: [2, 3, 4, "x"] },
    2: { id: 2, by: "prism", text: "Less glass.", type: "comment" },
    3: { id: 3, deleted: true, type: "comment" },
  };
  const wire = await openWire({
    [ALGOLIA]: () => ({ status: 404, body: '{"status":404,"error":"Not Found"}' }),
    [FIREBASE]: ({ path }) => JSON.stringify(items[/item\/(\d+)/.exec(path)?.[1] ?? ""] ?? null),
  });
  expect(await wire.ingest(LINK)).toMatchObject({
    title: "How lighthouse lenses work",
    text: "https://example.com/lens\n\n- prism: Less glass.",
    metadata: { author: "jane", publishedAt: "2026-03-02T09:00:00.000Z", stats: { points: 120, comments: 1 } },
    warnings: [],
  });
  expect(wire.calls).toHaveLength(5);
});

it.each([["null"], [`{"id":${ID},"deleted":true,"type":"story"}`]])(
  "an item on Hacker News that does not exist (%s) fails with that reason",
  async (body) => {
    const wire = await openWire({ [ALGOLIA]: () => ({ status: 404, body: "{}" }), [FIREBASE]: () => body });
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "not_found", stage: "extract", retryable: false });
  },
);

it.each([["<html>Down</html>"], ["{}"], ["[1]"], ['{"id":"x","children":7}']])(
  "an item on Hacker News with the response %s fails with a message",
  async (body) => {
    const wire = await openWire({ [ALGOLIA]: () => body, [FIREBASE]: () => body });
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "source_changed" });
  },
);

it("an item on Hacker News is retried while both APIs are rate-limited, and read from the second one if the first is down", async () => {
  const late = { status: 429, headers: { "retry-after": "4" }, body: "" };
  const wire = await openWire({ [ALGOLIA]: () => late, [FIREBASE]: () => late });
  await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 4 });
  const down = await openWire({
    [FIREBASE]: () => JSON.stringify({ ...(JSON.parse(sample("social/hackernews.firebase.item.json")) as object), kids: [] }),
  });
  expect((await down.ingest(LINK)).title).toBe("How lighthouse lenses work");
});
