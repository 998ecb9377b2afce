import { expect, it } from "vitest";
import { openWire, type Source } from "./support/wire.ts";
import { LINK, rss, entry } from "./feed-rss.ts";

const open = (source: Source) => openWire({ "blog.example.com": source });

it("a feed has its metadata and its entries, newest first", async () => {
  const wire = await open(() =>
    rss(
      entry("Older", "01", "<description>&lt;p&gt;The &lt;b&gt;summary&lt;/b&gt;.&lt;/p&gt;</description>") +
        entry(
          "Newer",
          "02",
          "<dc:creator>Ann</dc:creator><description>Short</description><content:encoded><![CDATA[<p>One &amp; two.</p><ul><li>three</li></ul>]]></content:encoded>",
        ),
    ),
  );
  const found = await wire.ingest(LINK);
  expect(found).toMatchObject({
    type: "FEED",
    title: "Harbour & Lab",
    metadata: {
      siteName: "Harbour & Lab",
      language: "en-GB",
      publishedAt: "2026-03-02T09:00:00.000Z",
      canonicalUrl: "https://blog.example.com/",
      stats: { entries: 2 },
    },
    warnings: [],
  });
  expect(found.text).toBe("On lenses.\n\n## Newer\n\nAnn · 2026-03-02\n\nOne & two.\n\n- three\n\n## Older\n\n2026-03-01\n\nThe summary.");
  expect(wire.calls).toEqual(["GET blog.example.com/feed"]);
});

it("a feed keeps the newest hundred entries, with a warning", async () => {
  const many = Array.from({ length: 130 }, (_, place) => entry(`Entry ${place}`, "02", "<description>Words.</description>")).join("");
  const found = await (await open(() => rss(many))).ingest(LINK);
  expect(found.text.match(/^## /gm)).toHaveLength(100);
  expect(found.warnings).toEqual([{ code: "truncated", message: expect.stringContaining("130 entries") }]);
});

it("a feed can be Atom, RDF or JSON", async () => {
  const atom =
    '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>T</title><author><name>Ann</name></author><link href="https://e.com/"/>' +
    '<entry><id>1</id><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">X <em>y</em></div></title><link href="https://e.com/1"/><updated>2026-03-02T09:00:00Z</updated>' +
    '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Para <b>one</b>.</p><p>Two &amp; a &lt; b</p></div></content></entry>' +
    '<entry><id>2</id><title>Use &lt;b&gt; tags</title><content type="text">1 &lt; 2\nand a &lt;b&gt; tag</content></entry></feed>';
  const found = await (await open(() => atom)).ingest(LINK);
  expect(found).toMatchObject({ title: "T", metadata: { author: "Ann", language: "de" } });
  expect(found.text).toBe("## X y\n\n2026-03-02\n\nPara one.\n\nTwo & a < b\n\n## Use <b> tags\n\n1 < 2\nand a <b> tag");
  const rdf =
    '<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">' +
    '<channel rdf:about="https://e.com"><title>R</title><link>https://e.com</link><description>d</description></channel>' +
    '<item rdf:about="https://e.com/1"><title>I</title><link>https://e.com/1</link><description>Words.</description><dc:date>2026-03-02T09:00:00Z</dc:date><dc:creator>Cy</dc:creator></item></rdf:RDF>';
  expect((await (await open(() => rdf)).ingest(LINK)).text).toBe("d\n\n## I\n\nCy · 2026-03-02\n\nWords.");
  const json = {
    version: "https://jsonfeed.org/version/1.1",
    title: "J",
    home_page_url: "https://e.com",
    authors: [{ name: "Ann" }],
    items: [
      { id: "1", title: "One", content_html: "<p>Hi &amp; ho</p>", date_published: "2026-03-02T09:00:00Z", authors: [{ name: "Bob" }] },
      { id: "2", content_text: "a <b> c\nd" },
    ],
  };
  const wire = await openWire({ "blog.example.com": () => JSON.stringify(json) });
  expect((await wire.ingest("https://blog.example.com/feed.json")).text).toBe("## One\n\nBob · 2026-03-02\n\nHi & ho\n\na <b> c\nd");
});

it("a feed that turns out to be a page is read as one, without another request", async () => {
  const words = "The lens of a lighthouse bends the light of a small lamp into a flat beam that is seen for twenty miles at sea. ".repeat(
    6,
  );
  const wire = await open(
    () => `<!doctype html><html><head><title>A page</title></head><body><article><h1>A page</h1><p>${words}</p></article></body></html>`,
  );
  expect(await wire.ingest(LINK)).toMatchObject({ type: "WEBSITE", title: "A page", text: expect.stringContaining("twenty miles") });
  expect(wire.calls).toHaveLength(1);
});

it("a feed that is blocked, missing or empty fails with that reason", async () => {
  const cases: [ReturnType<Source>, object][] = [
    [{ status: 404 }, { code: "not_found" }],
    [
      { status: 403, body: "<title>Just a moment...</title>" },
      { code: "captcha", retryable: true },
    ],
    [
      { status: 429, headers: { "retry-after": "20" } },
      { code: "rate_limited", retryAfterSeconds: 20 },
    ],
    ["<title>Just a moment...</title><p>Checking</p>", { code: "captcha" }],
    ['<rss version="2.0"><channel></channel></rss>', { code: "no_text" }],
  ];
  for (const [answer, error] of cases) await expect((await open(() => answer)).ingest(LINK)).rejects.toMatchObject(error);
});
