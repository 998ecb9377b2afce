import { describe, expect, it } from "vitest";
import { readFeed } from "#ingest/read/feed/feed.ts";
import { isFeedText } from "#ingest/read/feed/detect.ts";
import { measureCpuMs } from "../support/cpu-time.ts";
import { openWire, type Source } from "./support/wire.ts";

const LINK = "https://blog.example.com/feed";
const open = (source: Source) => openWire({ "blog.example.com": source });

const rss = (items: string, channel = ""): string =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"` +
  ` xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Harbour &amp; Lab</title><atom:link rel="self" href="${LINK}"/><link>https://blog.example.com/</link>` +
  `<description>On lenses.</description><language>en-GB</language>${channel}${items}</channel></rss>`;
const entry = (title: string, day: string, inner = ""): string =>
  `<item><title>${title}</title><link>https://blog.example.com/${encodeURIComponent(title)}</link><pubDate>${day} Mar 2026 09:00:00 GMT</pubDate>${inner}</item>`;

describe("a feed", () => {
  it("has its metadata and its entries, newest first", async () => {
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
    expect(found.text).toBe(
      "On lenses.\n\n## Newer\n\nAnn · 2026-03-02\n\nOne & two.\n\n- three\n\n## Older\n\n2026-03-01\n\nThe summary.",
    );
    expect(wire.calls).toEqual(["GET blog.example.com/feed"]);
  });

  it("keeps the newest hundred entries, with a warning", async () => {
    const many = Array.from({ length: 130 }, (_, place) => entry(`Entry ${place}`, "02", "<description>Words.</description>")).join("");
    const found = await (await open(() => rss(many))).ingest(LINK);
    expect(found.text.match(/^## /gm)).toHaveLength(100);
    expect(found.warnings).toEqual([{ code: "truncated", message: expect.stringContaining("130 entries") }]);
  });

  it("can be Atom, RDF or JSON", async () => {
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

  it("that turns out to be a page is read as one, without another request", async () => {
    const words = "The lens of a lighthouse bends the light of a small lamp into a flat beam that is seen for twenty miles at sea. ".repeat(
      6,
    );
    const wire = await open(
      () => `<!doctype html><html><head><title>A page</title></head><body><article><h1>A page</h1><p>${words}</p></article></body></html>`,
    );
    expect(await wire.ingest(LINK)).toMatchObject({ type: "WEBSITE", title: "A page", text: expect.stringContaining("twenty miles") });
    expect(wire.calls).toHaveLength(1);
  });

  it("that is blocked, missing or empty fails with that reason", async () => {
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
});

describe("parsing a feed", () => {
  it("keeps plain text unchanged", () => {
    const [first] =
      readFeed(rss(entry("Vec&lt;T&gt; &amp;amp; more", "02", "<description>line one\nline two &lt; three</description>")))?.items ?? [];
    expect(first).toMatchObject({ title: "Vec<T> & more", text: "line one\nline two < three" });
  });

  it("parses dates of e-mail format, a guid that is an address, and the audio among several enclosures", () => {
    const files =
      '<enclosure url="https://e.com/a.jpg" type="image/jpeg" length="1"/><enclosure url="https://e.com/a.mp3" type="audio/mpeg" length="1"/>';
    const [first] =
      readFeed(rss(`<item><title>t</title><guid>https://e.com/1</guid><pubDate>Mon, 02 Mar 2026 09:00 EST</pubDate>${files}</item>`))
        ?.items ?? [];
    expect(first).toMatchObject({
      url: "https://e.com/1",
      publishedAt: "2026-03-02T14:00:00.000Z",
      enclosure: { url: "https://e.com/a.mp3" },
    });
  });

  it("keeps the complete entries of a truncated feed, and skips text before it", () => {
    const whole = rss(entry("One", "01") + entry("Two", "02"));
    expect(readFeed(whole.slice(0, whole.lastIndexOf("</item>") + 3))?.items.map(({ title }) => title)).toEqual(["One"]);
    expect(readFeed(`<b>Warning</b>: in x.php\n${whole}<!-- cached -->`)?.items).toHaveLength(2);
  });

  it("never expands entities that a feed declares, internal or external", () => {
    const levels = Array.from({ length: 9 }, (_, place) => `<!ENTITY l${place + 1} "${`&l${place};`.repeat(10)}">`).join("");
    const bomb = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY l0 "lol">${levels}]>${rss(entry("&l9;", "01")).replace(/^<\?xml[^>]*>/, "")}`;
    const quadratic = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "${"a".repeat(50_000)}">]>${rss(entry("&a;".repeat(5_000), "01")).replace(/^<\?xml[^>]*>/, "")}`;
    const outside = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>${rss(entry("T &a;", "01")).replace(/^<\?xml[^>]*>/, "")}`;
    for (const hostile of [bomb, quadratic, outside]) {
      let read = "";
      expect(measureCpuMs(() => (read = JSON.stringify(readFeed(hostile))))).toBeLessThan(2_000);
      expect(read.length).toBeLessThan(100_000);
      expect(read).not.toContain("root:");
      expect(read).not.toContain("lollol");
    }
  });

  it("ends in time with 100,000 entries, and with endless markup", () => {
    const took = measureCpuMs(() => {
      const many = readFeed(rss("<item><title>t</title><description>&lt;p&gt;d</description></item>".repeat(100_000)));
      expect(many).toMatchObject({ total: 100_000, items: expect.objectContaining({ length: 2_000 }) });
      readFeed(`<rss version="2.0"><channel><title>x</title>${"<item>".repeat(100_000)}`);
      readFeed(rss(entry("x", "01", `<description>${"&lt;a ".repeat(200_000)}</description>`)));
      readFeed(rss(entry("x", "01", `<description>${"&lt;div&gt;".repeat(50_000)}</description>`)));
    });
    expect(took).toBeLessThan(9_000);
  });

  it.each(["", "no feed", "{}", "[]", '{"version":7}', "<html></html>", "<rss></rss>", "<feed/>", "\u0000", '<rss version="2.0">'])(
    "accepts %j",
    (text) => {
      const read = readFeed(text);
      expect(read === null || read.items.length === 0).toBe(true);
    },
  );

  it("detects a feed by the start of the text", () => {
    for (const yes of [
      '<?xml version="1.0"?><rss version="2.0">',
      '\uFEFF<?xml version="1.0"?>\n<?xml-stylesheet href="a.xsl"?><!-- hi --><feed xmlns="http://www.w3.org/2005/Atom">',
      '<rdf:RDF xmlns:rdf="x" xmlns="http://purl.org/rss/1.0/">',
      '{"version": "https://jsonfeed.org/version/1.1", "title": "x"}',
      '{"title":"x","version":"https:\\/\\/jsonfeed.org\\/version\\/1"}',
    ])
      expect(isFeedText(yes), yes).toBe(true);
    for (const no of [
      "<html><rss>",
      "<?xml",
      '{"version":"1"}',
      "<rdf:RDF xmlns:foaf='x'>",
      "<svg>",
      "rss",
      "<feedback>",
      '<?xml version="1.0"?><opml>',
    ])
      expect(isFeedText(no), no).toBe(false);
  });
});
