import { expect, it } from "vitest";
import { type Asked, openWire, sample } from "../support/wire.ts";
import { API, DID, type View, author, post } from "./bluesky-post.ts";

const LINK = "https://bsky.app/profile/harbour.bsky.social/post/3kabcdefgh22x";
const view = (shown: View, more: View = {}): View => ({ $type: "app.bsky.feed.defs#threadViewPost", post: shown, ...more });

const open = (thread: unknown, more: (asked: Asked) => ReturnType<Parameters<typeof openWire>[0][string]> = () => undefined) =>
  openWire({
    [API]: (asked) =>
      more(asked) ??
      (asked.path.endsWith("resolveHandle")
        ? sample("social/bluesky.resolveHandle.json")
        : typeof thread === "string"
          ? thread
          : JSON.stringify({ thread })),
  });

it("a post on Bluesky has its text with links written out, its thread and the replies", async () => {
  const text = "Prisms: 👇 example.com/le… and more";
  const start = Buffer.byteLength("Prisms: 👇 ");
  const facets = [
    {
      index: { byteStart: start, byteEnd: start + Buffer.byteLength("example.com/le…") },
      features: [{ $type: "app.bsky.richtext.facet#link", uri: "https://example.com/lens" }],
    },
  ];
  const wire = await open(
    view(post(text, {}, { facets }), {
      replies: [
        view(post("Second part.", { uri: "at://a/2" }), {
          replies: [view(post("Thanks!", { author: author("Fan", "did:plc:fan"), uri: "at://a/4" }))],
        }),
        view(post("Less glass.", { author: author("Prism", "did:plc:prism"), uri: "at://a/3" }), {
          replies: [view(post("Indeed.", { author: author("Keeper", "did:plc:keeper"), uri: "at://a/5" }))],
        }),
        { $type: "app.bsky.feed.defs#blockedPost", blocked: true },
      ],
    }),
  );
  const found = await wire.ingest(LINK);
  expect(found).toMatchObject({
    type: "BLUESKY",
    title: "Harbour on Bluesky: Prisms: 👇 https://example.com/lens and more",
    metadata: {
      subtype: "POST",
      author: "Harbour",
      authorUrl: "https://bsky.app/profile/harbour.bsky.social",
      siteName: "Bluesky",
      publishedAt: "2026-03-02T09:00:00.000Z",
      language: "en",
      stats: { likes: 5, comments: 2, shares: 1 },
    },
    warnings: [],
  });
  expect(found.text).toBe(
    "Prisms: 👇 https://example.com/lens and more\n\nSecond part.\n\n- Prism: Less glass.\n  - Keeper: Indeed.\n- Fan: Thanks!",
  );
  expect(wire.calls.slice(0, 2)).toEqual([
    `GET ${API}/xrpc/com.atproto.identity.resolveHandle?handle=harbour.bsky.social`,
    `GET ${API}/xrpc/app.bsky.feed.getPostThread?uri=${encodeURIComponent(`at://${DID}/app.bsky.feed.post/3kabcdefgh22x`)}&depth=2`,
  ]);
});

it("a post by the DID of its account needs no lookup", async () => {
  const wire = await open(view(post("Words.", { replyCount: 0 })));
  expect((await wire.ingest(`https://bsky.app/profile/${DID}/post/3kabcdefgh22x`)).text).toBe("Words.");
  expect(wire.calls).toHaveLength(1);
});

it("a post on Bluesky continues with the author's own replies, also beyond one response", async () => {
  const parts = ["One.", "Two..", "Three...", "Four....", "Five....."].map((text) =>
    post(text, { replyCount: text.startsWith("Five") ? 0 : 1 }),
  );
  const nest = (from: number, depth: number): View =>
    view(parts[from] as View, depth === 0 || from === 4 ? {} : { replies: [nest(from + 1, depth - 1)] });
  const wire = await open(null, ({ path, query }) => {
    if (!path.endsWith("getPostThread")) return undefined;
    const from = parts.findIndex(({ uri }) => uri === query.get("uri"));
    return JSON.stringify({ thread: nest(Math.max(0, from), Number(query.get("depth"))) });
  });
  expect((await wire.ingest(LINK)).text).toBe("One.\n\nTwo..\n\nThree...\n\nFour....\n\nFive.....");
  expect(wire.calls).toHaveLength(3);
});

it("a post on Bluesky lists its attachments: image descriptions, a link card, a quoted post with its images", async () => {
  const quoted = {
    $type: "app.bsky.embed.record#viewRecord",
    uri: "at://q/1",
    author: author("Prism"),
    value: { text: "Two lenses.\nOne tower." },
    embeds: [{ images: [{ alt: "A tower." }] }],
  };
  const embed = {
    $type: "app.bsky.embed.recordWithMedia#view",
    record: { record: quoted },
    media: { images: [{ alt: "A lens.", fullsize: "https://cdn.bsky.example/1.jpg" }, { alt: "" }] },
  };
  const wire = await open(view(post("Look.", { embed }), { parent: view(post("Ask me.", { author: author("Keeper") })) }));
  const found = await wire.ingest(LINK);
  expect(found.text).toBe("> Keeper: Ask me.\n\nLook.\n\nA lens.\n\n> Prism: Two lenses.\n> One tower.\n>\n> A tower.");
  expect(found.metadata.thumbnailUrl).toBe("https://cdn.bsky.example/1.jpg");
  const card = await open(
    view(
      post("", {
        embed: {
          $type: "app.bsky.embed.external#view",
          external: { uri: "https://example.com/", title: "Lenses", description: "All of them." },
        },
      }),
    ),
  );
  expect((await card.ingest(LINK)).text).toBe("https://example.com/\n\nLenses\nAll of them.");
  const single = await open(view(post("See.", { embed: { $type: "app.bsky.embed.record#view", record: quoted } })));
  expect((await single.ingest(LINK)).text).toContain("> Prism: Two lenses.");
});

it.each([
  ["deleted", sample("social/bluesky.notfound.400.json"), 400, "not_found"],
  ["of an unknown handle", '{"error":"InvalidRequest","message":"Unable to resolve handle"}', 400, "not_found"],
  ["of a deleted account", '{"error":"AccountTakedown","message":"Account has been suspended"}', 400, "not_found"],
  ["not found", JSON.stringify({ thread: { $type: "app.bsky.feed.defs#notFoundPost", notFound: true } }), 200, "not_found"],
  ["blocked", JSON.stringify({ thread: { $type: "app.bsky.feed.defs#blockedPost", blocked: true } }), 200, "private"],
])("a post on Bluesky that is %s fails with that reason", async (_, body, status, code) => {
  const wire = await open(null, ({ path }) => (status === 400 || path.endsWith("getPostThread") ? { status, body } : undefined));
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code, retryable: false });
});

it("a post of an author hidden from anonymous readers is behind a login, and hidden replies are excluded", async () => {
  const labels = [{ val: "!no-unauthenticated" }];
  const hidden = await open(view(post("Secret.", { author: author("Harbour", DID, { labels }) })));
  await expect(hidden.ingest(LINK)).rejects.toMatchObject({ code: "login_wall" });
  const wire = await open(view(post("Open."), { replies: [view(post("Hush.", { author: author("Shy", "did:plc:shy", { labels }) }))] }));
  expect((await wire.ingest(LINK)).text).toBe("Open.");
});

it("a post on Bluesky has the metadata of its page if the API does not respond", async () => {
  const page =
    '<html><head><meta property="og:title" content="Harbour (@harbour.bsky.social)"><meta property="og:description" content="Prisms."></head></html>';
  const wire = await openWire({ [API]: () => ({ status: 502, body: "" }), "bsky.app": () => page });
  expect(await wire.ingest(LINK)).toMatchObject({
    title: "Harbour on Bluesky: Prisms.",
    text: "Prisms.",
    metadata: { author: "Harbour" },
    warnings: [{ code: "truncated" }],
  });
  await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({ code: "server_error", retryable: true });
});

it.each([["<html>Hi</html>"], ["{}"], ['{"thread":{"post":{"record":7}}}'], ['{"thread":[[[]]]}'], ["null"]])(
  "a post in the form %s fails with a message",
  async (body) => {
    const wire = await open(body);
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "source_changed" });
  },
);

it("a post on Bluesky accepts facets and attachments of unexpected types, and endless replies", async () => {
  let deep: View = view(post("Bottom.", { author: author("Deep", "did:plc:deep") }));
  for (let level = 0; level < 500; level++)
    deep = view(post(`Level ${level}.`, { author: author("Deep", "did:plc:deep") }), { replies: [deep] });
  const facets = [7, { index: { byteStart: -5, byteEnd: 1e9 }, features: [{ uri: "https://x.example/" }] }, { index: {}, features: "no" }];
  const wire = await open(
    view(post("Words.", { embed: { images: "no", record: [], external: 3 } }, { facets }), {
      replies: [...Array.from({ length: 2_000 }, () => view(post("", { author: author("Empty", "did:plc:e") }))), deep],
    }),
  );
  const { text } = await wire.ingest(LINK);
  expect(text).toContain("Words.");
  expect(text.length).toBeLessThan(5_000);
});
