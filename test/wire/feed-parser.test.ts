import { expect, it } from "vitest";
import { readFeed } from "#ingest/read/feed/feed.ts";
import { isFeedText } from "#ingest/read/feed/detect.ts";
import { measureCpuMs } from "../support/cpu-time.ts";
import { rss, entry } from "./feed-rss.ts";

it("the parser of feeds keeps plain text unchanged", () => {
  const [first] =
    readFeed(rss(entry("Vec&lt;T&gt; &amp;amp; more", "02", "<description>line one\nline two &lt; three</description>")))?.items ?? [];
  expect(first).toMatchObject({ title: "Vec<T> & more", text: "line one\nline two < three" });
});

it("the parser of feeds parses dates of e-mail format, a guid that is an address, and the audio among several enclosures", () => {
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

it("the parser of feeds keeps the complete entries of a truncated feed, and skips text before it", () => {
  const whole = rss(entry("One", "01") + entry("Two", "02"));
  expect(readFeed(whole.slice(0, whole.lastIndexOf("</item>") + 3))?.items.map(({ title }) => title)).toEqual(["One"]);
  expect(readFeed(`<b>Warning</b>: in x.php\n${whole}<!-- cached -->`)?.items).toHaveLength(2);
});

it("the parser of feeds never expands entities that a feed declares, internal or external", () => {
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

it("the parser of feeds ends in time with 100,000 entries, and with endless markup", () => {
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
  "the parser of feeds accepts %j",
  (text) => {
    const read = readFeed(text);
    expect(read === null || read.items.length === 0).toBe(true);
  },
);

it("a feed is detected by the start of the text", () => {
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
