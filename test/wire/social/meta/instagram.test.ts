import { expect, it } from "vitest";
import { openWire, sample } from "../../support/wire.ts";
import { GRAPH, TOKEN, settings, head, error } from "./pages.ts";

const HOST = "www.instagram.com";
const LINK = "https://www.instagram.com/p/CabcDEFghij/?igsh=x";

it("a post on Instagram has caption, author, date and counts from the description of its page", async () => {
  const wire = await openWire({ [HOST]: () => sample("meta/instagram.page.html") });
  expect(await wire.ingest(LINK)).toMatchObject({
    type: "INSTAGRAM",
    title: "Harbour Lab on Instagram: How a lighthouse lens works🔦 #optics",
    text: "How a lighthouse lens works🔦 #optics",
    metadata: {
      subtype: "POST",
      author: "Harbour Lab",
      authorUrl: "https://www.instagram.com/harbour.lab/",
      siteName: "Instagram",
      publishedAt: "2026-03-02T00:00:00.000Z",
      thumbnailUrl: "https://scontent.cdninstagram.example/a.jpg",
      stats: { likes: 1204, comments: 31 },
    },
    warnings: [],
  });
  expect(wire.calls).toEqual([`GET ${HOST}/p/CabcDEFghij/?igsh=x`]);
});

it("a reel on Instagram has a warning that its speech is missing", async () => {
  const wire = await openWire({ [HOST]: () => sample("meta/instagram.page.html") });
  const found = await wire.ingest("https://www.instagram.com/reel/CabcDEFghij/");
  expect(found).toMatchObject({ metadata: { subtype: "REEL" }, warnings: [{ code: "no_transcript" }] });
});

it.each([
  [
    "1.2M likes, 3K comments - a.b on May 13, 2024: &quot;Two\nlines &quot;quoted&quot;&quot;. ",
    'Two\nlines "quoted"',
    { likes: 1_200_000, comments: 3_000 },
  ],
  ["31 comments - a.b on May 13, 2024: “Curly”", "Curly", { comments: 31 }],
  ["7 likes - a.b on May 13, 2024: &quot;Few&quot;.", "Few", { likes: 7 }],
  ["A line of a new form", "A line of a new form", undefined],
])("a post on Instagram with a description in %s is parsed", async (line, text, stats) => {
  const wire = await openWire({ [HOST]: () => head("A B on Instagram: x", line) });
  const found = await wire.ingest(LINK);
  expect(found.text).toBe(text);
  expect(found.metadata.stats).toEqual(stats);
});

it("a post on Instagram is requested with the operator's token first, and its page adds what is missing", async () => {
  const wire = await openWire({
    [GRAPH]: () => sample("meta/instagram.oembed.graph.json"),
    [HOST]: () => sample("meta/instagram.page.html"),
  });
  const found = await wire.ingest(LINK, { settings });
  expect(found).toMatchObject({ text: "How a lighthouse lens works🔦 #optics", warnings: [] });
  expect(wire.asked[0]).toMatchObject({ host: GRAPH, path: "/v25.0/instagram_oembed" });
  expect(wire.asked[0]?.query.get("access_token")).toBe(TOKEN);
  expect(wire.asked[0]?.query.get("url")).toBe(LINK);
  expect(JSON.stringify([wire.asked.slice(1), found])).not.toContain("s3cret");
  expect(wire.calls).toHaveLength(2);
});

it("a post on Instagram known to oEmbed only has the text of its embed, with a warning", async () => {
  const html =
    '<blockquote class="instagram-media"><div><a href="x">View this post on Instagram</a><p><a href="x">How a lens works #optics</a></p><p><a href="x">A post shared by Harbour Lab (@harbour.lab)</a></p></div></blockquote>';
  const wire = await openWire({
    [GRAPH]: () => JSON.stringify({ provider_name: "Instagram", html }),
    [HOST]: () => "<html><head><title>Instagram</title></head></html>",
  });
  const found = await wire.ingest(LINK, { settings });
  expect(found).toMatchObject({
    title: "Harbour Lab on Instagram: How a lens works #optics",
    text: "How a lens works #optics",
    metadata: { author: "Harbour Lab" },
  });
  expect(found.warnings.map(({ code }) => code)).toEqual(["truncated", "login_wall"]);
});

it.each([
  ["a bad token", error(190), "forbidden", false],
  ["an app without permission", { status: 403, body: sample("meta/instagram.oembed.error.json") }, "forbidden", false],
  ["too many calls", error(4), "rate_limited", true],
  ["an unknown post", error(24), "not_found", false],
  ["a fault of Meta's", error(2), "server_error", true],
  ["a page in place of JSON", "<html></html>", "source_changed", false],
] as const)("a post on Instagram with %s fails without revealing the token if the page has nothing", async (_, answer, code, retryable) => {
  const wire = await openWire({ [GRAPH]: () => answer, [HOST]: () => ({ status: 500, body: "" }) });
  const failure = await wire.ingest(LINK, { settings }).catch((reason: unknown) => reason);
  expect(failure).toMatchObject({ code, retryable, message: expect.stringMatching(/^[A-Z].*\.$/) });
  const { message, stack, cause } = failure as Error;
  expect(`${message}${stack}${String(cause)}`).not.toContain("s3cret");
});

it.each([
  ["redirects to the login", { status: 302, headers: { location: "https://www.instagram.com/accounts/login/?next=x" } }],
  ["has no tags", "<html><head><title>Instagram</title></head></html>"],
  ["is the login page", head("Login • Instagram", "Welcome back to Instagram. Sign in to check out what your friends are up to.")],
] as const)("a post on Instagram whose page %s is behind a login", async (_, answer) => {
  const wire = await openWire({ [HOST]: ({ path }) => (path.startsWith("/accounts") ? "<html></html>" : answer) });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code: "login_wall", message: expect.stringMatching(/^Instagram .*\.$/) });
});

it("a post on Instagram whose page is a login is read from its embed", async () => {
  const embed =
    '<html><body><div class="Header"><span class="UsernameText">harbour.lab</span></div><div class="Caption"><a class="CaptionUsername" href="x">harbour.lab</a><br /><br />How a lens works &amp; why<br />Two lines <a href="x">#optics</a><div class="CaptionComments"><a href="x">View all 31 comments</a></div></div></body></html>';
  const wire = await openWire({
    [HOST]: ({ path }) => (path.includes("/embed/") ? embed : "<html><head><title>Instagram</title></head></html>"),
  });
  expect(await wire.ingest(LINK)).toMatchObject({
    title: "harbour.lab on Instagram: How a lens works & why",
    text: "How a lens works & why\nTwo lines #optics",
    metadata: { author: "harbour.lab", authorUrl: "https://www.instagram.com/harbour.lab/" },
    warnings: [],
  });
  expect(wire.calls.at(-1)).toBe(`GET ${HOST}/p/CabcDEFghij/embed/captioned/`);
  const reel = await wire.ingest("https://www.instagram.com/reel/CabcDEFghij/");
  expect(reel.warnings.map(({ code }) => code)).toEqual(["no_transcript", "login_wall"]);
});

it("a post on Instagram that is missing or rate-limited fails with that reason", async () => {
  const gone = await openWire({ [HOST]: () => ({ status: 404, body: "" }) });
  await expect(gone.ingest(LINK)).rejects.toMatchObject({ code: "not_found" });
  const late = await openWire({ [HOST]: () => ({ status: 429, headers: { "retry-after": "6" }, body: "" }) });
  await expect(late.ingest(LINK, { isLastAttempt: false })).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 6 });
});

it("an account on Instagram has the counts of its page, with a warning", async () => {
  const wire = await openWire({
    [HOST]: () =>
      head(
        "Harbour Lab (&#064;harbour.lab) • Instagram photos and videos",
        "1,234 Followers, 56 Following, 78 Posts - See Instagram photos and videos from Harbour Lab (&#064;harbour.lab)",
      ),
  });
  expect(await wire.ingest("https://www.instagram.com/harbour.lab/")).toMatchObject({
    metadata: {
      subtype: "PROFILE",
      author: "Harbour Lab",
      authorUrl: "https://www.instagram.com/harbour.lab/",
      stats: { followers: 1234, posts: 78 },
    },
    warnings: [{ code: "login_wall" }],
  });
});
