import { expect, it } from "vitest";
import { measureCpuMs } from "../../support/cpu-time.ts";
import { readHead } from "#ingest/clean/head.ts";
import { body, clean, sentence } from "./page-samples.ts";

const shell = (inside: string): string =>
  `<html><head><title>Oil</title></head><body><nav><a href="/">Home</a></nav><div id="app"></div>${inside}</body></html>`;
const ld = (value: unknown): string => `<script type="application/ld+json">${JSON.stringify(value).replaceAll("<", "\\u003c")}</script>`;
const readLinked = (value: unknown): string => clean(shell(ld(value))).text;

const question = "Which oil does the lens of the old lamp need, and how often is it filled in the winter?";
const answer = "<p>Whale oil since 1887, filled before each night of the winter.</p><ul><li>Two litres &amp; a spoon</li></ul>";
const thanks = "Thank you both, the lamp burns again as brightly as it did before the storm.";
const toPost = (type: string, name: string, text: string): object => ({
  "@type": type,
  author: { "@type": "Person", name },
  datePublished: "2024-03-01T10:00:00Z",
  text,
});
const thread = `ada · 2024-03-01\n\n${question}\n\nben · 2024-03-01\n\nWhale oil since 1887, filled before each night of the winter.\n\n- Two litres & a spoon`;

it("a thread in linked data is read post by post, its strings as text", () => {
  const comment = [toPost("Comment", "ben", answer), { ...toPost("Comment", "cyd", thanks), text: `${thanks}<script>alert(1)</script>` }];
  expect(readLinked({ "@graph": [{ "@type": "WebPage" }, { ...toPost("DiscussionForumPosting", "ada", question), comment }] })).toBe(
    `${thread}\n\ncyd · 2024-03-01\n\n${thanks}`,
  );
});

it("a question in linked data has each of its answers once", () => {
  const [accepted, other] = [toPost("Answer", "ben", answer), toPost("Answer", "cyd", thanks)];
  const mainEntity = { ...toPost("Question", "ada", question), acceptedAnswer: accepted, suggestedAnswer: [accepted, other] };
  expect(readLinked({ "@type": "QAPage", mainEntity })).toBe(`${thread}\n\ncyd · 2024-03-01\n\n${thanks}`);
});

it("questions of a page whose answers are in its linked data are written once", () => {
  const [one, other] = [`### ${question}`, "### How much of it?"];
  const mainEntity = [question, "How much of it?"].map((name) => ({
    "@type": "Question",
    name,
    acceptedAnswer: { text: sentence.repeat(2) },
  }));
  const shown = `<h1>Questions</h1><h3>${question}</h3><div hidden></div><h3>How much of it?</h3>`;
  const { text } = clean(`<html><body>${shown}${ld({ "@type": "FAQPage", mainEntity })}</body></html>`);
  expect(text.split("\n").filter((line) => line === one || line === other)).toEqual([one, other]);
});

it("the posts that a forum writes into the page for its scripts are read", () => {
  const posts = [
    { username: "ada", created_at: "2024-03-01T10:00:00Z", cooked: `<p>${question}</p>` },
    { username: "ben", created_at: "2024-03-01T11:00:00Z", cooked: answer },
    { username: "cyd", created_at: "2024-03-02T11:00:00Z", cooked: `<p>${thanks}</p>` },
  ];
  const state = JSON.stringify({ site: "{}", topic_7: JSON.stringify({ title: "Which oil?", post_stream: { posts } }) });
  const page = clean(
    shell(`<div class="hidden" id="data-preloaded" data-preloaded="${state.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"></div>`),
  );
  expect(page).toMatchObject({ text: `${thread}\n\ncyd · 2024-03-02\n\n${thanks}`, title: "Which oil?", author: "ada", warnings: [] });
});

it("a thread for readers without scripts is read once, though linked data has it too", () => {
  const write = (name: string, text: string): string =>
    `<div class="crawler-post"><div class="meta"><span itemprop="author"><a href="/u/${name}">${name}</a></span> <time datetime="2024-03-01T10:00:00Z">March 1, 2024</time></div><div class="post" itemprop="text"><p>${text}</p></div></div>`;
  const posts =
    write("ada", question) + write("ben", thanks) + write("cyd", "The second winter took three litres, and the third one none at all.");
  const linked = ld({ ...toPost("DiscussionForumPosting", "ada", question), comment: [toPost("Comment", "ben", thanks)] });
  const { text } = clean(shell(`<noscript data-path="/t/7"><div id="main-outlet"><h1>Oil</h1>${posts}</div></noscript>${linked}`));
  expect(text).toMatch(
    /^ada · March 1, 2024\n\nWhich oil .*\n\nben · March 1, 2024\n\nThank you both.*\n\ncyd · March 1, 2024\n\nThe second/,
  );
  expect(text.split(thanks)).toHaveLength(2);
});

it.each([
  ["an article", { "@type": "NewsArticle", articleBody: sentence.repeat(4) }, sentence.repeat(4).trim()],
  [
    "a product",
    {
      "@type": "Product",
      description: sentence.repeat(3),
      brand: { name: "Beam" },
      offers: { price: 12.5, priceCurrency: "EUR" },
      aggregateRating: { ratingValue: "4.5" },
      review: { "@type": "Review", author: "ben", reviewBody: thanks },
    },
    `${sentence.repeat(3).trim()}\n\n- Brand: Beam\n- Price: 12.5 EUR\n- Rating: 4.5\n\nben\n\n${thanks}`,
  ],
  [
    "frequent questions",
    {
      "@type": "FAQPage",
      mainEntity: [1, 2].map((n) => ({
        "@type": "Question",
        name: `Why ${n}?`,
        acceptedAnswer: { "@type": "Answer", text: `${n} ${sentence.repeat(2)}` },
      })),
    },
    [1, 2].map((n) => `### Why ${n}?\n\n${n} ${sentence.repeat(2).trim()}`).join("\n\n"),
  ],
  [
    "a list",
    {
      "@type": "ItemList",
      itemListElement: [1, 2, 3].map((n) => ({
        "@type": "ListItem",
        position: n,
        item: { "@type": "Product", name: `Lamp ${n}`, description: sentence, offers: { price: n } },
      })),
    },
    [1, 2, 3].map((n) => `- Lamp ${n}\n  ${sentence.trim()}\n  - Price: ${n}`).join("\n"),
  ],
  [
    "a recipe",
    {
      "@type": "Recipe",
      description: sentence.repeat(2),
      recipeYield: "2",
      recipeIngredient: ["oil", "salt"],
      recipeInstructions: [
        { "@type": "HowToStep", text: "Pour." },
        { "@type": "HowToStep", text: "Light." },
      ],
    },
    `${sentence.repeat(2).trim()}\n\n- Yield: 2\n\n- oil\n- salt\n\n1. Pour.\n2. Light.`,
  ],
  [
    "an event",
    {
      "@type": "MusicEvent",
      description: sentence.repeat(3),
      startDate: "2024-05-01",
      location: { name: "Pier", address: { streetAddress: "Quay 1", addressLocality: "Beamton" } },
    },
    `${sentence.repeat(3).trim()}\n\n- Start: 2024-05-01\n- Place: Pier Quay 1 Beamton`,
  ],
  [
    "a job",
    {
      "@type": "JobPosting",
      description: `<p>${sentence.repeat(3)}</p>`,
      hiringOrganization: { name: "Beam" },
      baseSalary: { currency: "EUR", value: { minValue: 1, maxValue: 2, unitText: "HOUR" } },
    },
    `${sentence.repeat(3).trim()}\n\n- Employer: Beam\n- Salary: 1 2 HOUR EUR`,
  ],
])("linked data about %s completes a page of a few words", (_name, value, expected) => {
  expect(readLinked({ "@context": "https://schema.org", ...value })).toBe(`Home\n\n${expected}`);
});

it("linked data about a page of many words, or that repeats it, is not added", () => {
  const product = { "@type": "Product", description: thanks.repeat(9) };
  expect(clean(shell(`<main>${body}</main>${ld(product)}`)).text).not.toContain(thanks);
  const posting = toPost("DiscussionForumPosting", "ada", body.replace(/<[^>]*>/g, "\n"));
  expect(clean(shell(`<main>${body}</main>${ld(posting)}`)).text).not.toContain("ada");
});

it("linked data of any shape and size is read within limits", () => {
  let deep: Record<string, unknown> = toPost("Comment", "ada", question) as Record<string, unknown>;
  for (let level = 0; level < 40; level++) deep = { ...toPost("Comment", `a${level}`, `${level} ${question}`), comment: [deep] };
  expect(readLinked({ ...deep, "@type": "DiscussionForumPosting" })).toContain(`0 ${question}`);
  const many = Array.from({ length: 20_000 }, (_, n) => toPost("Comment", "ada", `${n} ${question}`));
  expect(readLinked({ ...toPost("DiscussionForumPosting", "ada", question), comment: many }).length).toBeLessThanOrEqual(1_000_000);
  const odd = {
    "@type": ["DiscussionForumPosting", 7, null],
    text: { a: 1 },
    author: [[], 3, { name: {} }],
    comment: [null, "x", [], { text: [] }],
  };
  expect(readLinked([odd, 7, null, "x"])).toBe("Home");
  const nested = `${'{"@type":"Article","mainEntity":'.repeat(50_000)}1${"}".repeat(50_000)}`;
  expect(clean(shell(`<script type="application/ld+json">${nested}</script>`)).text).toBe("Home");
  expect(clean(shell('<div data-preloaded="{&quot;topic_1&quot;:&quot;{]&quot;}"></div>')).text).toBe("Home");
});

it("the head of a page has linked data with brackets in its strings, and none that is nested too deeply", () => {
  const brackets = { name: "[".repeat(200) };
  const deep = `${"[".repeat(101)}1${"]".repeat(101)}`;
  const { jsonLd } = readHead({ html: `${ld(brackets)}<script type="application/ld+json">${deep}</script>`, url: "https://example.com/" });
  expect(jsonLd).toEqual([brackets]);
});

it("the lines of a long text and of long linked data are compared in bounded time", { timeout: 300_000 }, () => {
  const lines = Array.from({ length: 8_000 }, (_, at) => `e${at}`).join("\n");
  const text = `<p>${"eat eel eye ".repeat(100)}</p>`.repeat(2_400);
  expect(measureCpuMs(() => clean(shell(text + ld(toPost("DiscussionForumPosting", "ada", lines)))))).toBeLessThan(20_000);
});

it("lists in lists do not multiply a long text", { timeout: 300_000 }, () => {
  let node: object = { "@type": "Thing", text: "a\n".repeat(200_000) };
  for (let depth = 0; depth < 45; depth++) node = { "@type": "ItemList", itemListElement: [node] };
  expect(readLinked(node).length).toBeLessThan(3_000_000);
  expect(measureCpuMs(() => readLinked(node))).toBeLessThan(20_000);
});
