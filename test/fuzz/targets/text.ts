import { IngestError } from "#domain/content/job.ts";
import { cleanPage } from "#ingest/clean/page.ts";
import { readHead } from "#ingest/clean/head.ts";
import { readCaptions, readJson3, readTimedText, readTimedXml } from "#ingest/extract/transcript/captions.ts";
import { buildTranscript, dropRepeats } from "#ingest/extract/transcript/transcript.ts";
import { readFeed } from "#ingest/read/feed/feed.ts";
import { decodeBody } from "#ingest/read/plain/charset.ts";
import { readPlainText } from "#ingest/read/plain/plain-text.ts";
import { articlePage } from "../../support/servers/origin.ts";
import { mutateBytes, mutateText } from "../support/mutate.ts";
import { expectKind, type Target } from "../support/target.ts";

const VTT =
  "WEBVTT\n\nNOTE words\n\n1\n00:00:00.000 --> 00:00:02.500 align:start\n<v Ada>The lamp <i>burns</i>.\n\n00:02.500 --> 01:00:04.000\n&lt;Oil&gt; and <00:00:03.000>wick\n";
const SRT = "1\n00:00:00,000 --> 00:00:02,500\nThe lamp burns.\n\n2\n00:00:02,500 --> 00:00:04,000\n<b>Oil</b> and wick\n";
const TTML =
  '<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="0s" end="2.5s">The <span>lamp</span></p><p begin="00:00:02.5" dur="1s">burns<br/>on</p></div></body></tt>';
const SRV = '<?xml version="1.0"?><transcript><text start="0.5" dur="2">The lamp &amp;#39;burns&amp;#39;</text></transcript>';
const JSON3 = JSON.stringify({
  events: [
    { tStartMs: 0, dDurationMs: 2_000, segs: [{ utf8: "The " }, { utf8: "lamp", tOffsetMs: 5 }] },
    { tStartMs: 2_000, segs: [{ utf8: "\n" }] },
  ],
});
const CAPTIONS = [VTT, SRT, TTML, SRV, JSON3];

const RSS =
  '<?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="c" xmlns:podcast="p"><channel><title>Lamps</title><link>https://a.example/</link><itunes:author>Ada</itunes:author><item><title>One</title><link>/one</link><guid>1</guid><pubDate>Mon, 06 Sep 2021 00:01:00 +0000</pubDate><description><![CDATA[<p>Oil &amp; wick</p>]]></description><enclosure url="https://a.example/1.mp3" type="audio/mpeg" length="1"/><itunes:duration>01:02:03</itunes:duration><podcast:transcript url="/1.vtt" type="text/vtt"/></item></channel></rss>';
const ATOM =
  '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title type="html">Lamps</title><updated>2021-01-01T00:00:00Z</updated><entry><title>One</title><link rel="alternate" href="/one"/><id>1</id><author><name>Ada</name></author><content type="html">&lt;p&gt;Oil&lt;/p&gt;</content></entry></feed>';
const JSON_FEED = JSON.stringify({
  version: "https://jsonfeed.org/version/1.1",
  title: "Lamps",
  items: [{ id: "1", url: "https://a.example/1", content_html: "<p>Oil</p>", date_published: "2021-01-01T00:00:00Z" }],
});
const RDF =
  '<?xml version="1.0"?><rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/"><channel><title>Lamps</title></channel><item><title>One</title><link>https://a.example/1</link></item></rdf:RDF>';
const FEEDS = [RSS, ATOM, JSON_FEED, RDF];

const PAGE = `${articlePage()}<table><caption>Oil</caption><tr><th>Day<td>Litres<tr><td>1<td>2</table><dl><dt>Lamp<dd>Brass</dl><pre><code>a &lt; b</code></pre><ul><li>x<ul><li>y</ul></ul><script type="application/ld+json">{"@type":"Article","author":{"name":"Ada"},"datePublished":"2021-01-01"}</script><meta property="og:title" content="T">`;

const nothing = async (): Promise<void> => {};

/** Captions in every format. */
export const captions: Target = {
  name: "captions",
  testRounds: 30_000,
  open: async () => ({
    async round(random) {
      const file = mutateText(random.pick(CAPTIONS), random);
      try {
        for (const read of [readCaptions, readTimedText, readTimedXml]) buildTranscript(dropRepeats(read(file)));
        buildTranscript(readJson3(parseJson(file)));
      } catch (error) {
        expectKind(error, IngestError);
      }
    },
    close: nothing,
  }),
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Feeds in every format. */
export const feeds: Target = {
  name: "feeds",
  testRounds: 2_500,
  open: async () => ({
    async round(random) {
      const found = readFeed(mutateText(random.pick(FEEDS), random));
      if (found !== null) JSON.stringify(found);
    },
    close: nothing,
  }),
};

/** Pages, and bytes in any character set. */
export const pages: Target = {
  name: "pages",
  testRounds: 400,
  open: async () => ({
    async round(random) {
      const page = mutateText(PAGE, random);
      const bytes = random.chance(0.2) ? mutateBytes(Buffer.from(page), random) : Buffer.from(page);
      const type = random.pick([
        undefined,
        "text/html",
        "text/html; charset=utf-16le",
        "text/html; charset=shift_jis",
        "text/html; charset=zzz",
      ]);
      const html = decodeBody(bytes, type).text;
      const cleaned = cleanPage({ html, url: "https://a.example/page" });
      if (!cleaned.text.isWellFormed()) throw new Error("The text is not well-formed.");
      readHead({ html, url: "https://a.example/page" });
      readPlainText(bytes, type);
    },
    close: nothing,
  }),
};
