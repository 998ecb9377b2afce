import { expect, it } from "vitest";
import { detectKind } from "#ingest/detect.ts";
import { openWire } from "../../support/wire.ts";
import { HOST, ID, LINK, API, note, answer, paragraph, words, openSubstack } from "./responses.ts";

it.each([
  `https://substack.com/@keeper/note/c-${ID}`,
  `https://www.substack.com/@keeper/note/c-${ID}?utm_source=share`,
  `https://substack.com/note/c-${ID}/`,
  `https://substack.com/profile/42-the-keeper/note/c-${ID}`,
  `https://lamps.substack.com/note/c-${ID}`,
  `https://lamps.substack.com/notes/c-${ID}`,
])("the address %s is a note", (address) => {
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
])("the address %s is of type %s", (address, type) => {
  expect(detectKind(new URL(address)).type).toBe(type);
});

it("a note on Substack has its text, author and counts", async () => {
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

it("a note on Substack keeps the lists, quotes and links of its document", async () => {
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

it("a note on Substack quotes the note it replies to, and names what it shares", async () => {
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

it("a note on Substack that is a picture has a warning that it has no text", async () => {
  const wire = await openSubstack(() =>
    answer(note({ body: null, attachments: [{ type: "image", imageUrl: "https://cdn.example/a.png" }] })),
  );
  expect(await wire.ingest(LINK)).toMatchObject({ title: "The Keeper on Substack", warnings: [{ code: "no_text" }] });
});

it("a note on Substack has its first replies, without deleted ones", async () => {
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

it("a note on Substack has a warning if replies cannot be read, or if there are more", async () => {
  const failing = await openSubstack(() => answer(note({ children_count: 2 })));
  expect(await failing.ingest(LINK)).toMatchObject({ text: "The lamp was lit at nine.", warnings: [{ code: "truncated" }] });
  const more = JSON.stringify({ commentBranches: [{ comment: note({ name: "Jane", body: "Yes." }) }], nextCursor: "x" });
  const cut = await openWire({ [HOST]: ({ path }) => (path === API ? answer(note({ children_count: 90 })) : more) });
  expect((await cut.ingest(LINK)).warnings).toMatchObject([{ code: "truncated" }]);
});
