import { expect, it } from "vitest";
import { openWire, sample } from "../support/wire.ts";

const HOST = "mastodon.example";
const ID = "112345678901234567";
const LINK = `https://${HOST}/@harbour/${ID}`;
const API = `/api/v1/statuses/${ID}`;

const account = (name: string) => ({
  username: name.toLowerCase(),
  acct: name.toLowerCase(),
  display_name: name,
  url: `https://${HOST}/@${name.toLowerCase()}`,
});
const status = (content: string, more: Record<string, unknown> = {}) => ({
  id: ID,
  created_at: "2026-03-02T09:00:00.000Z",
  content,
  spoiler_text: "",
  language: "en",
  url: LINK,
  replies_count: 0,
  reblogs_count: 3,
  favourites_count: 7,
  account: account("Harbour"),
  media_attachments: [],
  ...more,
});

it("a post on Mastodon has its text, content warning, poll, image descriptions, link card and metadata", async () => {
  const content =
    '<p>A lens is a stack of <a href="https://mastodon.example/tags/prisms">#<span>prisms</span></a>.<br>Read <a href="https://example.com/a/long"><span class="invisible">https://</span><span class="ellipsis">example.com/a</span><span class="invisible">/long</span></a></p><p>Two &amp; two.</p>';
  const wire = await openWire({
    [HOST]: ({ path }) =>
      path === API
        ? JSON.stringify(
            status(content, {
              spoiler_text: "Optics",
              poll: { options: [{ title: "Old" }, { title: "New" }] },
              media_attachments: [{ type: "image", description: "A lens.", preview_url: "https://files.example/1.jpg" }],
              card: { url: "https://example.com/a/long", title: "Lenses", description: "All of them." },
            }),
          )
        : undefined,
  });
  const found = await wire.ingest(LINK);
  expect(found).toMatchObject({
    type: "MASTODON",
    title: "Harbour on Mastodon: Optics",
    metadata: {
      subtype: "POST",
      author: "Harbour",
      authorUrl: "https://mastodon.example/@harbour",
      siteName: "Mastodon",
      publishedAt: "2026-03-02T09:00:00.000Z",
      thumbnailUrl: "https://files.example/1.jpg",
      language: "en",
      canonicalUrl: LINK,
      stats: { likes: 7, comments: 0, shares: 3 },
    },
    warnings: [],
  });
  expect(found.text).toBe(
    "Optics\n\nA lens is a stack of #prisms.\nRead https://example.com/a/long\n\nTwo & two.\n\n- Old\n- New\n\nA lens.\n\nLenses\nAll of them.",
  );
  expect(wire.calls).toEqual([`GET ${HOST}${API}`]);
});

it("a post of a hostile Mastodon server has no script address, and unexpected types cause no error", async () => {
  const script = "javascript:alert(1)";
  const wire = await openWire({
    [HOST]: () =>
      JSON.stringify(
        status(`${"<div>".repeat(20_000)}Words.`, {
          url: script,
          uri: script,
          account: { ...account("Harbour"), url: script },
          media_attachments: [7, { type: [], description: {}, preview_url: script }],
          poll: [],
          card: "no",
          reblog: "no",
          quote: [],
          language: 7,
        }),
      ),
  });
  const found = await wire.ingest(LINK);
  expect(found.text).toBe("Words.");
  expect(JSON.stringify(found)).not.toContain("script");
});

it("a post on Mastodon has the author's own replies, then those of others", async () => {
  const descendants = [
    status("<p>Second.</p>", { id: "2", in_reply_to_id: ID }),
    status("<p>Third.</p>", { id: "3", in_reply_to_id: "2" }),
    status("<p>Nice.</p>", { id: "4", in_reply_to_id: ID, account: account("Fan") }),
    status("<p>Very.</p>", { id: "5", in_reply_to_id: "4", account: account("Keeper") }),
    7,
  ];
  const wire = await openWire({
    [HOST]: ({ path }) =>
      path === API ? JSON.stringify(status("<p>First.</p>", { replies_count: 2 })) : JSON.stringify({ ancestors: [], descendants }),
  });
  expect((await wire.ingest(LINK)).text).toBe("First.\n\nSecond.\n\nThird.\n\n- Fan: Nice.\n  - Keeper: Very.");
  const alone = await openWire({
    [HOST]: ({ path }) => (path === API ? JSON.stringify(status("<p>First.</p>", { replies_count: 2 })) : undefined),
  });
  expect((await alone.ingest(LINK)).text).toBe("First.");
});

it("a post on Mastodon is read as ActivityPub if the API is closed", async () => {
  const wire = await openWire({
    [HOST]: ({ path, headers }) => {
      if (path === API) return { status: 401, body: '{"error":"This method requires an authenticated user"}' };
      if (path === "/users/harbour")
        return JSON.stringify({ type: "Person", name: "Harbour Lab", url: "https://mastodon.example/@harbour" });
      return headers.accept?.includes("application/activity+json") ? sample("social/mastodon.activitypub.note.json") : "<html></html>";
    },
  });
  expect(await wire.ingest(LINK)).toMatchObject({
    type: "MASTODON",
    text: "A lighthouse lens is a stack of prisms.",
    metadata: {
      author: "Harbour Lab",
      authorUrl: "https://mastodon.example/@harbour",
      publishedAt: "2026-03-02T09:00:00.000Z",
      language: "en",
      canonicalUrl: `https://${HOST}/@harbour/${ID}`,
    },
    warnings: [],
  });
});

it("a post on Mastodon whose server requires a login has the metadata of its page, or fails as behind a login", async () => {
  const page = (head: string) =>
    `<!doctype html><html><head>${head}<script id="initial-state" type="application/json">{}</script></head><body><div id="mastodon"></div></body></html>`;
  const closed = (head: string) =>
    openWire({
      [HOST]: ({ path, headers }) =>
        path === API || headers.accept?.includes("activity+json") ? { status: 401, body: '{"error":"closed"}' } : page(head),
    });
  const wire = await closed(
    '<meta property="og:title" content="Harbour (@harbour@mastodon.example)"><meta property="og:description" content="A lens is a stack…">',
  );
  const found = await wire.ingest(LINK);
  expect(found).toMatchObject({ type: "MASTODON", title: "Harbour on Mastodon: A lens is a stack…", text: "A lens is a stack…" });
  expect(found.warnings.map(({ code }) => code)).toEqual(["truncated", "login_wall"]);
  await expect((await closed("")).ingest(LINK)).rejects.toMatchObject({ code: "login_wall" });
});

it.each([
  [404, '{"error":"Record not found"}'],
  [410, '{"error":"Record not found"}'],
])("a post on Mastodon that is missing (%s) fails with that reason, without further requests", async (code, body) => {
  const wire = await openWire({ [HOST]: () => ({ status: code, body }) });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "not_found", stage: "extract" });
  expect(wire.calls).toHaveLength(1);
});

it("a link to a post on a site without Mastodon is its web page", async () => {
  const words = "The harbour keeps a lens of 1890 that bends the light of a single lamp out to the horizon every night. ".repeat(4);
  const wire = await openWire({
    "blog.example": ({ path }) =>
      path === "/@jane/123456"
        ? `<!doctype html><html><head><title>A lens</title></head><body><article><p>${words}</p></article></body></html>`
        : { status: 404, body: "<html>No</html>" },
  });
  const found = await wire.ingest("https://blog.example/@jane/123456");
  expect(found).toMatchObject({ type: "WEBSITE", title: "A lens", text: expect.stringContaining("lens of 1890") });
  expect(found.metadata.subtype).toBeUndefined();
});

it.each([["{}"], ["[]"], ['{"content":7,"account":{}}'], ["<html><head><title>Hi</title></head><body></body></html>"]])(
  "a post on Mastodon with %s from all sources fails with a message",
  async (body) => {
    const wire = await openWire({ [HOST]: () => body });
    await expect(wire.ingest(LINK)).rejects.toMatchObject({ message: expect.stringMatching(/^[A-Z].*\.$/) });
  },
);

it("a post on Mastodon is retried while its server is rate-limited", async () => {
  const wire = await openWire({ [HOST]: () => ({ status: 429, headers: { "retry-after": "9" }, body: "" }) });
  await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 9 });
});
