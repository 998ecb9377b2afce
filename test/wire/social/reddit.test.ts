import { expect, it } from "vitest";
import { openWire, sample } from "../support/wire.ts";
import { WWW, respondWith, reddit, entry, buildAtom } from "./reddit-site.ts";

const OAUTH = "oauth.reddit.com";
const LINK = "https://www.reddit.com/r/optics/comments/1abcdef/how_do_lenses_work/?utm_source=share";
const APP = { redditClientId: "app", redditClientSecret: "s3cret" };

const comment = (author: string, body: string, children: unknown[] = []) => ({
  kind: "t1",
  data: {
    author,
    body,
    score: 4,
    created_utc: 1772445600,
    permalink: "/r/optics/comments/1abcdef/_/k1/",
    replies: children.length === 0 ? "" : { kind: "Listing", data: { children } },
  },
});
const listing = (post: Record<string, unknown>, comments: unknown[]): string => {
  const answer = JSON.parse(sample("social/reddit.comments.oauth.json")) as [
    { data: { children: [{ data: object }] } },
    { data: { children: unknown[] } },
  ];
  Object.assign(answer[0].data.children[0].data, post);
  answer[1].data.children = comments;
  return JSON.stringify(answer);
};

it("a post on Reddit has its text and comments from its feed, and its metadata", async () => {
  const wire = await openWire({ [WWW]: reddit({}) });
  expect(await wire.ingest(LINK)).toEqual({
    type: "REDDIT",
    title: "How do lenses work?",
    text: "Why do lighthouse lenses have rings & not a solid block?\n\n- prism_fan: Less glass, same bending.",
    metadata: {
      subtype: "POST",
      author: "jane_keeper",
      authorUrl: "https://www.reddit.com/user/jane_keeper",
      siteName: "Reddit",
      publishedAt: "2026-03-02T09:00:00.000Z",
      canonicalUrl: "https://www.reddit.com/r/optics/comments/1abcdef/how_do_lenses_work/",
      wordCount: 16,
    },
    warnings: [],
  });
  expect(wire.calls).toEqual([`GET ${WWW}/comments/1abcdef/.rss`]);
});

it.each(["https://redd.it/1abcdef", "https://old.reddit.com/r/optics/comments/1abcdef/", "https://www.reddit.com/gallery/1abcdef"])(
  "a post on Reddit is read from %s too",
  async (link) => {
    const wire = await openWire({ [WWW]: reddit({}) });
    expect((await wire.ingest(link)).title).toBe("How do lenses work?");
  },
);

it("a post on Reddit with a link has its target, without Reddit's own line of links", async () => {
  const tail =
    ' submitted by <a href="https://www.reddit.com/user/jane"> /u/jane </a> <br/> <span><a href="https://example.com/lens?a=1&amp;b=2">[link]</a></span> <span><a href="https://www.reddit.com/r/optics/comments/1abcdef/x/">[comments]</a></span>';
  const wire = await openWire({ [WWW]: reddit({ atom: respondWith(buildAtom(entry("t3_1abcdef", "jane", tail))) }) });
  expect((await wire.ingest(LINK)).text).toBe("https://example.com/lens?a=1&b=2");
});

it("a post on Reddit is read with the API if the operator has an app, whose secrets are sent nowhere else", async () => {
  const talk = [
    comment("a", "One.\n\nTwo.", [comment("b", "Reply.", [comment("c", "Third.", [comment("d", "Too deep.")])])]),
    comment("[deleted]", "[removed]", [comment("e", "Below.")]),
    { kind: "more", data: {} },
  ];
  const wire = await openWire({
    [WWW]: reddit({}),
    [OAUTH]: respondWith(listing({ url_overridden_by_dest: "https://example.com/", is_self: false }, talk)),
  });
  const found = await wire.ingest(LINK, { settings: APP });
  expect(found).toMatchObject({
    text: "https://example.com/\n\nWhy do lighthouse lenses have rings & not a solid block?\n\n- a: One.\n\n  Two.\n  - b: Reply.\n    - c: Third.\n- e: Below.",
    metadata: { author: "jane_keeper", publishedAt: "2026-03-02T09:00:00.000Z", stats: { likes: 120, comments: 1 } },
    warnings: [{ code: "truncated" }],
  });
  expect(wire.calls).toEqual([`POST ${WWW}/api/v1/access_token`, `GET ${OAUTH}/comments/1abcdef?raw_json=1&limit=100`]);
  expect(wire.asked[0]).toMatchObject({
    body: "grant_type=client_credentials",
    headers: { authorization: `Basic ${btoa("app:s3cret")}` },
  });
  expect(wire.asked[1]?.headers.authorization).toBe("Bearer tok-1_a");
});

it("a post on Reddit is read from its feed if the app is rejected or the response is unknown", async () => {
  const refused = await openWire({
    [WWW]: reddit({ token: respondWith({ status: 401, body: '{"message":"Unauthorized","error":401}' }) }),
  });
  expect((await refused.ingest(LINK, { settings: APP })).text).toContain("prism_fan");
  expect(JSON.stringify(refused.calls)).not.toContain("s3cret");
  const changed = await openWire({ [WWW]: reddit({}), [OAUTH]: respondWith('{"kind":7}') });
  expect((await changed.ingest(LINK, { settings: APP })).text).toContain("prism_fan");
});

it("a post on Reddit linked by a comment has that comment's name", async () => {
  const wire = await openWire({ [WWW]: reddit({}), [OAUTH]: respondWith(listing({}, [comment("prism_fan", "Less glass.")])) });
  const link = "https://www.reddit.com/r/optics/comments/1abcdef/how_do_lenses_work/kxyz123/";
  const found = await wire.ingest(link);
  expect(found).toMatchObject({
    title: "prism_fan on Reddit: Less glass, same bending.",
    metadata: { subtype: "COMMENT", author: "prism_fan" },
  });
  expect(wire.calls).toEqual([`GET ${WWW}/comments/1abcdef/_/kxyz123/.rss`]);
  expect(await wire.ingest(link, { settings: APP })).toMatchObject({
    title: "prism_fan on Reddit: Less glass.",
    metadata: { stats: { likes: 4 } },
  });
  expect(wire.calls.at(-1)).toBe(`GET ${OAUTH}/comments/1abcdef?raw_json=1&limit=100&comment=kxyz123`);
});

it("a post on Reddit shared by a share link is read at its target", async () => {
  const wire = await openWire({
    [WWW]: reddit({
      share: ({ path }) => (path.includes("/s/") ? { status: 301, headers: { location: LINK } } : { status: 403, body: "Blocked" }),
    }),
  });
  expect(await wire.ingest("https://www.reddit.com/r/optics/s/AbCdEf123")).toMatchObject({
    type: "REDDIT",
    title: "How do lenses work?",
  });
  const late = await openWire({ [WWW]: reddit({ share: respondWith({ status: 429, headers: { "retry-after": "3" }, body: "" }) }) });
  await expect(late.ingest("https://www.reddit.com/r/optics/s/AbCdEf123", { isLastAttempt: false })).rejects.toMatchObject({
    code: "rate_limited",
    retryAfterSeconds: 3,
  });
  const wall = await openWire({
    [WWW]: reddit({ share: ({ path }) => (path.includes("/s/") ? { status: 302, headers: { location: "/login/?dest=x" } } : "Log in") }),
  });
  await expect(wall.ingest("https://www.reddit.com/r/optics/s/AbCdEf123")).rejects.toMatchObject({ code: "login_wall" });
  const gone = await openWire({ [WWW]: reddit({ share: respondWith({ status: 404, body: "" }) }) });
  await expect(gone.ingest("https://www.reddit.com/r/optics/s/AbCdEf123")).rejects.toMatchObject({ code: "not_found" });
});

it("a post on Reddit whose text was removed has its title and comments, with a warning, or fails", async () => {
  const gone = "<p>[removed]</p>";
  const wire = await openWire({
    [WWW]: reddit({
      atom: respondWith(
        buildAtom(
          entry("t3_1abcdef", "[deleted]", gone),
          entry("t1_a", "fan", "<p>Still here.</p>"),
          entry("t1_b", "[deleted]", "<p>[deleted]</p>"),
        ),
      ),
    }),
  });
  const found = await wire.ingest(LINK);
  expect(found).toMatchObject({
    title: "How do lenses work?",
    text: "- fan: Still here.",
    warnings: [{ code: "truncated", message: expect.stringContaining("removed") }],
  });
  expect(found.metadata.author).toBeUndefined();
  const empty = await openWire({
    [WWW]: reddit({ atom: respondWith(buildAtom(entry("t3_1abcdef", "[deleted]", gone))) }),
    [OAUTH]: respondWith(listing({ selftext: "[removed]", removed_by_category: "moderator" }, [])),
  });
  await expect(empty.ingest(LINK)).rejects.toMatchObject({ code: "not_found" });
  await expect(empty.ingest(LINK, { settings: APP })).rejects.toMatchObject({ code: "not_found" });
});

it.each([
  [403, '{"reason":"private","message":"Forbidden","error":403}', "private"],
  [403, '{"reason":"gold_only","message":"Forbidden","error":403}', "members_only"],
  [404, '{"reason":"banned","message":"Not Found","error":404}', "not_found"],
])("a post of a closed subreddit (%s %s) fails with that reason, without further requests", async (status, body, code) => {
  const wire = await openWire({ [WWW]: reddit({ atom: respondWith({ status, body }) }) });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code, message: expect.stringMatching(/^This subreddit/) });
  expect(wire.calls).toHaveLength(1);
});

it.each([
  ["a quarantine", { status: 403, body: '{"reason":"quarantined","error":403}' }, "login_wall"],
  ["a bar for machines", { status: 403, body: "<html><body>You've been blocked by network security.</body></html>" }, "captcha"],
  ["too many requests", { status: 429, headers: { "retry-after": "5" }, body: "" }, "rate_limited"],
  ["a page in place of the feed", "<html><body>Hello</body></html>", "source_changed"],
  ["a feed without the post", buildAtom(entry("t1_a", "fan", "Hi")), "source_changed"],
] as const)("a post on Reddit behind %s has its title, with the reason", async (_, atom, code) => {
  const wire = await openWire({ [WWW]: reddit({ atom: respondWith(atom) }) });
  const found = await wire.ingest(LINK);
  expect(found).toMatchObject({ title: "How do lenses work?", metadata: { author: "jane_keeper", siteName: "Reddit" } });
  expect(found.warnings.map((warning) => warning.code)).toEqual(["truncated", code]);
  expect(wire.calls.at(-1)).toContain(
    `GET ${WWW}/oembed?url=${encodeURIComponent("https://www.reddit.com/r/optics/comments/1abcdef/how_do_lenses_work/")}`,
  );
});

it("a post on Reddit is retried while Reddit is rate-limited", async () => {
  const wire = await openWire({ [WWW]: respondWith({ status: 429, headers: { "retry-after": "5" }, body: "" }) });
  await expect(wire.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 5 });
});

it("a post on Reddit with endless comments is read in bounded time", async () => {
  let deep = comment("x", "Bottom.");
  for (let level = 0; level < 300; level++) deep = comment("x", "Down.", [deep]);
  const many = Array.from({ length: 20_000 }, () => comment("[deleted]", "[deleted]"));
  const wire = await openWire({ [WWW]: reddit({}), [OAUTH]: respondWith(listing({}, [deep, ...many, comment("late", "Late.")])) });
  const { text } = await wire.ingest(LINK, { settings: APP });
  expect(text.split("\n").length).toBeLessThan(60);
});
