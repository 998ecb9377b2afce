import { expect, it } from "vitest";
import { openWire, sample } from "../support/wire.ts";

const HOST = "www.linkedin.com";
const LINK = "https://www.linkedin.com/posts/jane-keeper_optics-activity-7180000000000000001-AbCd?utm_source=share";
const EMBED = "/embed/feed/update/urn:li:activity:7180000000000000001";
const WALL = { status: 302, headers: { location: "https://www.linkedin.com/authwall?trk=x" } };
const wall = "<html><head><title>LinkedIn: Log In or Sign Up</title></head><body></body></html>";
const embedded =
  '<html><head><title>LinkedIn</title></head><body><a class="text-sm" data-tracking-control-name="public_post_embed_feed-actor-name">Jane Keeper</a><p class="attributed-text-segment-list__content text-color-text" dir="ltr" data-test-id="main-feed-activity-card__commentary">We rebuilt the lens &amp; tower.\n\nThree things: <a href="https://www.linkedin.com/feed/hashtag/optics">#optics</a></p></body></html>';

it("a post on LinkedIn has its text and metadata from the linked data of its page", async () => {
  const wire = await openWire({ [HOST]: () => sample("social/linkedin.post.html") });
  expect(await wire.ingest(LINK)).toMatchObject({
    type: "LINKEDIN",
    title: "Jane Keeper on LinkedIn: We rebuilt the lens from 1890 drawings.",
    text: "We rebuilt the lens from 1890 drawings.\n\nThree things we learnt: ...",
    metadata: {
      subtype: "POST",
      author: "Jane Keeper",
      authorUrl: "https://uk.linkedin.com/in/jane-keeper",
      siteName: "LinkedIn",
      publishedAt: "2026-03-02T09:00:00.000Z",
      thumbnailUrl: "https://media.licdn.example/i.jpg",
      stats: { likes: 48, comments: 5 },
    },
    warnings: [],
  });
  expect(wire.calls).toHaveLength(1);
});

it("a post on LinkedIn finds the linked data in graphs and lists, with comments", async () => {
  const data = [
    {
      "@graph": [
        {
          "@type": ["DiscussionForumPosting"],
          articleBody: "Rings &amp; glass.",
          author: { name: "Jane" },
          comment: [{ "@type": "Comment", text: "Nice.", author: { name: "Fan" } }, 7],
          interactionStatistic: { interactionType: "http://schema.org/CommentAction", userInteractionCount: 1 },
        },
      ],
    },
    null,
    3,
  ];
  const wire = await openWire({
    [HOST]: () => `<html><head><script type="application/ld+json">${JSON.stringify(data)}</script></head></html>`,
  });
  expect(await wire.ingest(LINK)).toMatchObject({
    text: "Rings & glass.\n\n- Fan: Nice.",
    metadata: { author: "Jane", stats: { comments: 1 } },
  });
});

it("a post on LinkedIn has the text of its page without linked data", async () => {
  const html = sample("social/linkedin.post.html").replace(/<script[\s\S]*<\/script>/, "");
  const wire = await openWire({ [HOST]: () => html });
  expect(await wire.ingest(LINK)).toMatchObject({
    text: "We rebuilt the lens from 1890 drawings.",
    metadata: { author: "Jane Keeper" },
    warnings: [],
  });
});

it.each([
  ["answers with its status for machines", { status: 999, body: "" }],
  ["redirects to the login", WALL],
  ["is the login page", wall],
] as const)("a post on LinkedIn whose page %s is read from its embed", async (_, answer) => {
  const wire = await openWire({ [HOST]: ({ path }) => (path === EMBED ? embedded : path === "/authwall" ? wall : answer) });
  expect(await wire.ingest(LINK)).toMatchObject({
    title: "Jane Keeper on LinkedIn: We rebuilt the lens & tower.",
    text: "We rebuilt the lens & tower.\n\nThree things: #optics",
    metadata: { author: "Jane Keeper", siteName: "LinkedIn" },
    warnings: [],
  });
  expect(wire.calls.at(-1)).toBe(`GET ${HOST}${EMBED}`);
});

it.each([
  ["https://www.linkedin.com/feed/update/urn%3Ali%3Ashare%3A7180000000000000001", "share"],
  ["https://www.linkedin.com/posts/jane_x-ugcPost-7180000000000000001-AbCd", "ugcPost"],
])("the LinkedIn post %s has an embed with its own type", async (link, kind) => {
  const wire = await openWire({ [HOST]: ({ path }) => (path.startsWith("/embed/") ? embedded : { status: 999, body: "" }) });
  expect((await wire.ingest(link)).text).toContain("Three things");
  expect(wire.calls.at(-1)).toBe(`GET ${HOST}/embed/feed/update/urn:li:${kind}:7180000000000000001`);
});

it("a post on LinkedIn shown only in part has a warning, and the text of the embed is preferred", async () => {
  const tags =
    '<html><head><title>Jane Keeper on LinkedIn: We rebuilt</title><meta property="og:title" content="We rebuilt | Jane Keeper"><meta property="og:description" content="We rebuilt the…"></head></html>';
  const wire = await openWire({ [HOST]: ({ path }) => (path === EMBED ? { status: 404, body: "" } : tags) });
  expect(await wire.ingest(LINK)).toMatchObject({
    title: "Jane Keeper on LinkedIn: We rebuilt the…",
    text: "We rebuilt the…",
    metadata: { author: "Jane Keeper" },
    warnings: [{ code: "truncated" }],
  });
  const both = await openWire({ [HOST]: ({ path }) => (path === EMBED ? embedded : tags) });
  expect(await both.ingest(LINK)).toMatchObject({ text: expect.stringContaining("Three things"), warnings: [] });
});

it("a post on LinkedIn that is behind a login everywhere fails with a message", async () => {
  const wire = await openWire({ [HOST]: ({ path }) => (path === "/authwall" ? wall : WALL) });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({
    code: "login_wall",
    retryable: false,
    message: expect.stringMatching(/^LinkedIn .*\.$/),
  });
});

it.each([
  ["missing", { status: 404, body: "" }, "not_found"],
  ["asked for too often", { status: 429, headers: { "retry-after": "8" }, body: "" }, "rate_limited"],
  ["without a head", "{}", "login_wall"],
  [
    "with linked data of wrong shapes",
    '<html><head><script type="application/ld+json">[{"@type":"SocialMediaPosting","articleBody":7,"author":[],"interactionStatistic":"x"}]</script></head></html>',
    "source_changed",
  ],
] as const)("a post on LinkedIn that is %s fails with a message", async (_, answer, code) => {
  const wire = await openWire({ [HOST]: () => answer });
  await expect(wire.ingest(LINK)).rejects.toMatchObject({ code, message: expect.stringMatching(/^[A-Z].*\.$/) });
});

const words = "The harbour keeps a lens of 1890 that bends the light of a single lamp out to the horizon every night. ".repeat(8);
const data =
  '<script type="application/ld+json">{"@type":"Article","headline":"How lenses work","author":{"@type":"Person","name":"Jane Keeper"},"datePublished":"2026-03-02T09:00:00.000Z"}</script>';

it("an article on LinkedIn has the text of its page", async () => {
  const wire = await openWire({
    [HOST]: () =>
      `<html><head><title>How lenses work</title>${data}</head><body><article><h1>How lenses work</h1><p>${words}</p><p>${words}</p></article></body></html>`,
  });
  expect(await wire.ingest("https://www.linkedin.com/pulse/how-lenses-work-jane-abcde/")).toMatchObject({
    title: "How lenses work",
    text: expect.stringContaining("lens of 1890"),
    metadata: { subtype: "ARTICLE", author: "Jane Keeper", publishedAt: "2026-03-02T09:00:00.000Z" },
    warnings: [],
  });
});

it("an article on LinkedIn that is behind a login fails with that reason", async () => {
  const wire = await openWire({ [HOST]: ({ path }) => (path === "/authwall" ? wall : WALL) });
  await expect(wire.ingest("https://www.linkedin.com/pulse/how-lenses-work/")).rejects.toMatchObject({ code: "login_wall" });
});

it("a person or a company on LinkedIn has what its page shows anonymously, with a warning, or fails as behind a login", async () => {
  const page =
    '<html><head><meta property="og:title" content="Harbour Lab | LinkedIn"><meta property="og:description" content="Harbour Lab | 12 followers."><script type="application/ld+json">{"@graph":[{"@type":"Organization","description":"We rebuild lenses from old drawings, and light them."}]}</script></head></html>';
  const wire = await openWire({ [HOST]: ({ path }) => (path.startsWith("/company") ? page : { status: 999, body: "" }) });
  expect(await wire.ingest("https://www.linkedin.com/company/harbour-lab")).toMatchObject({
    text: "We rebuild lenses from old drawings, and light them.",
    warnings: [{ code: "login_wall" }],
  });
  await expect(wire.ingest("https://www.linkedin.com/in/jane-keeper")).rejects.toMatchObject({ code: "login_wall" });
});

it("a job on LinkedIn has its complete text", async () => {
  const data = {
    "@type": "JobPosting",
    title: "Keeper",
    description: "&lt;p&gt;Keep the light.&lt;/p&gt;&lt;ul&gt;&lt;li&gt;Nights&lt;/li&gt;&lt;/ul&gt;",
    datePosted: "2026-03-02",
    hiringOrganization: { name: "Harbour Lab" },
  };
  const wire = await openWire({
    [HOST]: () => `<html><head><script type="application/ld+json">${JSON.stringify(data)}</script></head></html>`,
  });
  expect(await wire.ingest("https://www.linkedin.com/jobs/view/3900000001/")).toMatchObject({
    title: "Keeper",
    text: expect.stringMatching(/^Keep the light\.\n+- Nights$/),
    metadata: { subtype: "JOB", author: "Harbour Lab", publishedAt: "2026-03-02T00:00:00.000Z" },
    warnings: [],
  });
});
