import { expect, it } from "vitest";
import { measureCpuMs } from "../../support/cpu-time.ts";
import { body, clean, sentence } from "./page-samples.ts";

const first = "The lamp of the lighthouse has burned whale oil since 1887, and it is filled before each night of the winter.";
const second = "Two litres are enough for a calm night. In a storm, the keeper adds a spoon of salt & stirs it twice by hand.";
const other = "The harbour wall was built by hand from stones that the fishermen carried down from the quarry in baskets, one by one.";
const shell = (inside: string, tree = ""): string =>
  `<html><head><title>Oil for the lamp | Keeper's Notes</title><meta property="og:site_name" content="Keeper's Notes"></head><body><div id="__next">${tree}</div>${inside}</body></html>`;
const escape = (value: unknown): string => JSON.stringify(value).replaceAll("<", "\\u003c");
const next = (pageProps: unknown): string =>
  `<script id="__NEXT_DATA__" type="application/json">${escape({ props: { pageProps }, page: "/notes/[slug]" })}</script>`;
const html = `<h2>Filling</h2><p>${first}</p><script>alert("${other}")</script><p>${second.replace("&", "&amp;")}</p>`;
const posts = [
  { title: "Walls", body: `<p>${other}</p><p>${other.toUpperCase()}</p>` },
  { title: "Oil for the lamp", slug: "oil", seo: { title: "Oil for the lamp", description: first }, body: html },
];

it.each([
  ["HTML", next({ post: posts[1] })],
  ["HTML among other pages", next({ title: "Notes", posts })],
  [
    "paragraphs",
    next({
      article: {
        headline: "Oil for the lamp",
        blocks: [
          { type: "p", data: { text: first } },
          { type: "p", data: { text: second } },
        ],
      },
    }),
  ],
  [
    "rich text in parts",
    next({
      entry: {
        fields: {
          title: "Oil for the Lamp",
          content: [first, second].map((text) => ({
            nodeType: "paragraph",
            content: [
              { nodeType: "text", value: text.slice(0, 9), marks: [{ type: "bold" }] },
              { nodeType: "text", value: text.slice(9) },
            ],
          })),
        },
      },
    }),
  ],
  ["an assigned object", `<script>window.__INITIAL_STATE__ = ${escape({ post: posts[1] })};</script>`],
  [
    "an object assigned by a quoted name",
    `<script>window["__STATE__"]=${escape({ page: { name: "Oil for the lamp", text: `${first}\n\n${second}` } })}</script>`,
  ],
  [
    "an object in a script after a long one",
    `<script type="application/json">"${"x".repeat(2_000_001)}"</script>${next({ post: posts[1] })}`,
  ],
  [
    "an object with the text in other names, such as menuText",
    next({ name: "Oil for the lamp", menuText: `${first}\n\n${second}`, classification: 1, relatedPosts: [other] }),
  ],
])("a page whose text stands only in its scripts is read from there: %s", (_name, script) => {
  const { text, warnings, title } = clean(shell(script, "<p>Loading notes</p>"));
  expect(title).toBe("Oil for the lamp");
  expect(text).toContain(`${first}\n\n${second}`);
  expect(text).not.toMatch(/harbour wall|alert|<|&amp;/i);
  expect(warnings).toEqual([]);
});

it.each([
  [
    "whose elements have the text",
    shell(next({ post: { title: "Oil for the lamp", body: `<p>${other}</p><p>${other.toUpperCase()}</p>` } }), body),
  ],
  ["none of whose objects has its title", shell(next({ posts: posts.slice(0, 1) }), `<p>${sentence}</p>`)],
  [
    "whose object with its title has hardly any text",
    shell(next({ post: { title: "Oil for the lamp", body: `<p>${other}</p>` } }), `<p>${sentence}</p>`),
  ],
  [
    "whose scripts only mention it",
    shell(`<script type="text/template">${escape({ title: "Oil for the lamp", body: other.repeat(3) })}</script>`, `<p>${sentence}</p>`),
  ],
])("a page is not read from its scripts %s", (_name, page) => {
  const { text } = clean(page);
  expect(text).toContain(sentence.trim());
  expect(text).not.toMatch(/harbour wall/i);
});

it("short text in scripts is read where the page has none, from state and from linked data", () => {
  const post = { title: "Oil for the lamp", body: "<p>The bank holds 214 samples.</p><p>They are kept at minus eighteen degrees.</p>" };
  expect(clean(shell(next({ post }))).text).toBe("The bank holds 214 samples.\n\nThey are kept at minus eighteen degrees.");
  const question = {
    "@type": "Question",
    name: "How heavy?",
    acceptedAnswer: { "@type": "Answer", text: "Up to 31.5 kg, or 20 kg to Norway." },
  };
  const linked = `<script type="application/ld+json">${escape({ "@type": "FAQPage", mainEntity: [question] })}</script>`;
  expect(clean(shell(linked, "<h1>Parcels</h1>")).text).toContain("Up to 31.5 kg, or 20 kg to Norway.");
});

it("rich text in scripts keeps short paragraphs, links and cells that repeat", () => {
  const text = (value: string): object => ({ nodeType: "text", value, marks: [] });
  const paragraph = (...content: object[]): object => ({ nodeType: "paragraph", content });
  const cells = ["17", "17"].map((value) => ({ nodeType: "table-cell", content: [paragraph(text(value))] }));
  const link = { nodeType: "hyperlink", data: { uri: "https://x.example" }, content: [text("the list")] };
  const content = [
    paragraph(text("Kept cold. See "), link, text(".")),
    { nodeType: "list-item", content: [paragraph(text("Moss: 40 trays"))] },
    ...cells,
  ];
  expect(clean(shell(next({ page: { fields: { title: "Oil for the lamp", body: { nodeType: "document", content } } } }))).text).toBe(
    "Kept cold. See the list.\n\nMoss: 40 trays\n\n17\n\n17",
  );
  const children = [{ _type: "span", text: "Storage", marks: [] }];
  const body = [
    { _type: "block", style: "h2", children },
    { _type: "block", children: [{ _type: "span", text: first }] },
  ];
  const sizes = [
    { value: "S", label: "Small" },
    { value: "M", label: "Medium" },
  ];
  expect(clean(shell(next({ post: { title: "Oil for the lamp", sizes, body } }))).text).toBe(`Storage\n\n${first}`);
});

it("state of any shape and size is read within limits", { timeout: 300_000 }, () => {
  const titled = (value: unknown): unknown => ({ title: "Oil for the lamp", value });
  const nested = Array.from({ length: 90 }).reduce((inner) => titled(inner), first);
  const deep = `${'{"title":"Oil for the lamp","value":'.repeat(5_000)}1${"}".repeat(5_000)}`;
  const pages = [
    next(Array.from({ length: 60_000 }, (_, at) => ({ title: "Oil for the lamp", at }))),
    next(nested),
    next(
      Array.from({ length: 85 }).reduce(
        (inner) => ({ title: "Oil for the lamp", inner }),
        Array.from({ length: 60_000 }, (_, at) => `Word ${at}`),
      ),
    ),
    `${"<script>".repeat(60_000)}</script>`,
    next(titled("<b>".repeat(200_000) + first)),
    next(titled(Array.from({ length: 20_000 }, () => `${first} ${second}`))),
    `<script type="application/json">${deep}</script>`,
    `<script type="application/json">`.repeat(20_000),
    "<script>window.a={</script>".repeat(20_000),
    next({ title: { title: null }, name: ["Oil for the lamp"], text: 12 }),
  ].map((script) => shell(script));
  expect(measureCpuMs(() => pages.map((page) => clean(page).wordCount))).toBeLessThan(8_000);
});
