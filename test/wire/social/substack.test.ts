import { describe, expect, it } from "vitest";
import { detectKind } from "#ingest/detect.ts";
import { openWire } from "../support/wire.ts";

const HOST = "substack.com";
const ID = 123456;
const PATH = `/@keeper/note/c-${ID}`;
const LINK = `https://${HOST}${PATH}`;
const API = `/api/v1/reader/comment/${ID}`;

const note = (more: Record<string, unknown> = {}) => ({
  id: ID,
  name: "The Keeper",
  handle: "keeper",
  body: "The lamp was lit at nine.",
  date: "2026-03-02T21:00:00.000Z",
  reaction_count: 12,
  restacks: 3,
  children_count: 0,
  attachments: [],
  ...more,
});
const answer = (comment: unknown, more: Record<string, unknown> = {}): string => JSON.stringify({ item: { comment, ...more } });
const json = (status: number, body: unknown) => ({ status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
const paragraph = (...content: unknown[]) => ({ type: "paragraph", content });
const words = (text: string, href?: string) => ({
  type: "text",
  text,
  ...(href === undefined ? {} : { marks: [{ type: "link", attrs: { href } }] }),
});
const preloads = (data: unknown): string =>
  `<html><head><title>Note</title></head><body><script>window._preloads        = JSON.parse(${JSON.stringify(JSON.stringify(data))})</script></body></html>`;
const tags = (title: string, description: string): string =>
  `<html><head><meta property="og:title" content="${title}"><meta property="og:description" content="${description}"></head><body></body></html>`;

/** A site whose API and page return these responses. */
const openSubstack = (api: () => ReturnType<typeof json> | string, page: () => ReturnType<typeof json> | string = () => json(500, {})) =>
  openWire({ [HOST]: ({ path }) => (path === API ? api() : path === PATH ? page() : undefined) });

describe("addresses of notes", () => {
  it.each([
    `https://substack.com/@keeper/note/c-${ID}`,
    `https://www.substack.com/@keeper/note/c-${ID}?utm_source=share`,
    `https://substack.com/note/c-${ID}/`,
    `https://substack.com/profile/42-the-keeper/note/c-${ID}`,
    `https://lamps.substack.com/note/c-${ID}`,
    `https://lamps.substack.com/notes/c-${ID}`,
  ])("%s is a note", (address) => {
    expect(detectKind(new URL(address))).toEqual({ type: "SUBSTACK", subtype: "NOTE", id: String(ID) });
  });

  it.each([
    ["https://lamps.substack.com/p/lenses", "WEBSITE"],
    ["https://substack.com/@keeper", "WEBSITE"],
    ["https://substack.com/@keeper/note/p-123456", "WEBSITE"],
    [`https://substack.com/@keeper/note/c-${ID}/extra`, "WEBSITE"],
    ["https://substack.com/@keeper/note/c-12x", "WEBSITE"],
    [`https://evil.example/@keeper/note/c-${ID}`, "WEBSITE"],
    [`https://substack.com.evil.example/@keeper/note/c-${ID}`, "WEBSITE"],
    ["https://lamps.substack.com/feed", "FEED"],
    ["https://lamps.substack.com/feed/podcast", "FEED"],
    ["https://lamps.substack.com/rss", "FEED"],
    ["https://lamps.substack.com/?feed=rss2", "FEED"],
    ["https://api.substack.com/feed/podcast/10845.rss", "FEED"],
  ])("%s is of type %s", (address, type) => {
    expect(detectKind(new URL(address)).type).toBe(type);
  });
});

describe("a note on Substack", () => {
  it("has its text, author and counts", async () => {
    const wire = await openSubstack(() => answer(note()));
    expect(await wire.ingest(`${LINK}?r=abc`)).toEqual({
      type: "SUBSTACK",
      title: "The Keeper on Substack: The lamp was lit at nine.",
      text: "The lamp was lit at nine.",
      metadata: {
        subtype: "NOTE",
        author: "The Keeper",
        authorUrl: "https://substack.com/@keeper",
        siteName: "Substack",
        publishedAt: "2026-03-02T21:00:00.000Z",
        canonicalUrl: LINK,
        stats: { likes: 12, comments: 0, shares: 3 },
        wordCount: 6,
      },
      warnings: [],
    });
    expect(wire.calls).toEqual([`GET ${HOST}${API}`]);
  });

  it("keeps the lists, quotes and links of its document", async () => {
    const body_json = {
      type: "doc",
      content: [
        { type: "heading", attrs: { level: 2 }, content: [words("Lenses")] },
        paragraph(words("See "), words("the plan", "https://a.example/plan"), words(" by "), {
          type: "substack_mention",
          attrs: { label: "Jane" },
        }),
        paragraph(words("https://b.example/x", "https://b.example/x")),
        {
          type: "bulletList",
          content: [
            { type: "listItem", content: [paragraph(words("Prism"))] },
            {
              type: "listItem",
              content: [
                paragraph(words("Lamp")),
                { type: "orderedList", content: [{ type: "listItem", content: [paragraph(words("Wick"))] }] },
              ],
            },
          ],
        },
        { type: "blockquote", content: [paragraph(words("Less glass."), { type: "hardBreak" }, words("Same bending."))] },
        paragraph(words("unsafe", "javascript:alert(1)")),
      ],
    };
    const wire = await openSubstack(() => answer(note({ body_json })));
    expect((await wire.ingest(LINK)).text).toBe(
      "## Lenses\n\nSee the plan (https://a.example/plan) by @Jane\n\nhttps://b.example/x\n\n- Prism\n- Lamp\n  1. Wick\n\n> Less glass.\n> Same bending.\n\nunsafe",
    );
  });

  it("quotes the note it replies to, and names what it shares", async () => {
    const attachments = [
      { type: "image", imageUrl: "https://cdn.example/lamp.png" },
      { type: "post", post: { title: "How lenses work", canonical_url: "https://lamps.substack.com/p/lenses" } },
      { type: "link", linkMetadata: { title: "A plan", url: "https://a.example/plan" } },
    ];
    const parentComments = [{ name: "Far", body: "First." }, note({ id: 1, name: "Jane", body: "Who lit it?" })];
    const wire = await openSubstack(() => answer(note({ attachments }), { parentComments }));
    expect(await wire.ingest(LINK)).toMatchObject({
      text: "> Jane: Who lit it?\n\nThe lamp was lit at nine.\n\nHow lenses work\nhttps://lamps.substack.com/p/lenses\n\nA plan\nhttps://a.example/plan",
      metadata: { thumbnailUrl: "https://cdn.example/lamp.png" },
    });
  });

  it("that is a picture has a warning that it has no text", async () => {
    const wire = await openSubstack(() =>
      answer(note({ body: null, attachments: [{ type: "image", imageUrl: "https://cdn.example/a.png" }] })),
    );
    expect(await wire.ingest(LINK)).toMatchObject({ title: "The Keeper on Substack", warnings: [{ code: "no_text" }] });
  });

  it("has its first replies, without deleted ones", async () => {
    const commentBranches = [
      { comment: note({ name: "Jane", body: "At ten." }), descendantComments: [{ comment: note({ body: "At nine." }) }] },
      { comment: note({ name: "Gone", body: null, deleted: true }), descendantComments: [] },
    ];
    const wire = await openWire({
      [HOST]: ({ path }) => (path === API ? answer(note({ children_count: 2 })) : JSON.stringify({ commentBranches, nextCursor: null })),
    });
    expect(await wire.ingest(LINK)).toMatchObject({
      text: "The lamp was lit at nine.\n\n- Jane: At ten.\n  - The Keeper: At nine.",
      warnings: [],
    });
    expect(wire.calls).toEqual([`GET ${HOST}${API}`, `GET ${HOST}${API}/replies`]);
  });

  it("has a warning if replies cannot be read, or if there are more", async () => {
    const failing = await openSubstack(() => answer(note({ children_count: 2 })));
    expect(await failing.ingest(LINK)).toMatchObject({ text: "The lamp was lit at nine.", warnings: [{ code: "truncated" }] });
    const more = JSON.stringify({ commentBranches: [{ comment: note({ name: "Jane", body: "Yes." }) }], nextCursor: "x" });
    const cut = await openWire({ [HOST]: ({ path }) => (path === API ? answer(note({ children_count: 90 })) : more) });
    expect((await cut.ingest(LINK)).warnings).toMatchObject([{ code: "truncated" }]);
  });

  it("that was deleted fails with not_found, without further requests", async () => {
    for (const api of [
      () => json(404, { error: "Comment not found" }),
      () => answer(note({ deleted: true })),
      () => answer(note({ body: null })),
    ]) {
      const wire = await openSubstack(api, () => tags("The Keeper (@keeper)", "The lamp"));
      await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "not_found", retryable: false });
      expect(wire.calls).toHaveLength(1);
    }
  });

  it("that is private fails with login_wall", async () => {
    const wire = await openWire({
      [HOST]: ({ path }) => {
        if (path === API) return json(403, { error: "Forbidden" });
        return path === PATH ? { status: 302, headers: { location: "/home" }, body: "" } : "<title>Substack</title><p>Discover</p>";
      },
    });
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "login_wall", retryable: false });
  });

  it("is read from the data in its page if the API fails", async () => {
    const data = { feed: [{ comment: note({ id: 7, body: "Another." }) }], 'a")b\\': 1, item: { comment: note() } };
    for (const api of [() => json(404, "gone"), () => json(500, {}), () => "{ not JSON", () => "[]", () => answer(note({ id: 9 }))]) {
      const wire = await openSubstack(api, () => preloads(data));
      expect(await wire.ingest(LINK)).toMatchObject({
        text: "The lamp was lit at nine.",
        metadata: { author: "The Keeper" },
        warnings: [],
      });
    }
  });

  it("has the truncated text in the tags of its page if nothing else can be read", async () => {
    for (const script of ["", '<script>window._preloads = JSON.parse("{broken")</script>', '<script>window._preloads = JSON.parse("']) {
      const wire = await openSubstack(
        () => json(500, {}),
        () => tags("The Keeper (@keeper)", "The lamp was lit…").replace("</head>", `${script}</head>`),
      );
      expect(await wire.ingest(LINK)).toMatchObject({
        title: "The Keeper on Substack: The lamp was lit…",
        text: "The lamp was lit…",
        warnings: [{ code: "truncated" }],
      });
    }
  });

  it("is retried while Substack rejects requests temporarily", async () => {
    const busy = () => ({ ...json(429, {}), headers: { "content-type": "application/json", "retry-after": "7" } });
    const wire = await openSubstack(busy, busy);
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "rate_limited", retryable: true, retryAfterSeconds: 7 });
  });

  it("of an unknown format fails with source_changed", async () => {
    for (const body of [
      "null",
      "7",
      '"x"',
      "{}",
      '{"item":null}',
      '{"item":{"comment":[]}}',
      answer({ id: ID }),
      answer({ id: ID, body: 7 }),
    ]) {
      const wire = await openSubstack(
        () => body,
        () => "<title>Substack</title><p>Nothing.</p>",
      );
      await expect(wire.ingest(LINK), body).rejects.toMatchObject({ code: "source_changed" });
    }
  });

  it("nested endlessly, or huge, is read in bounded time", async () => {
    let deep: unknown = paragraph(words("Bottom."));
    for (let level = 0; level < 500; level++) deep = { type: "bulletList", content: [{ type: "listItem", content: [deep] }] };
    const wide = Array.from({ length: 30_000 }, () => paragraph(words("Words.")));
    const wire = await openSubstack(() => answer(note({ body_json: { type: "doc", content: [paragraph(words("Top.")), deep, ...wide] } })));
    const { text } = await wire.ingest(LINK);
    expect(text.startsWith("Top.")).toBe(true);
    expect(text.length).toBeLessThan(250_000);
  });
});
