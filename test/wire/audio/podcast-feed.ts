import { openWire, sample, type Source } from "../support/wire.ts";

export const transcript = (url: string, type: string, language?: string): string =>
  `<podcast:transcript url="${url}" type="${type}"${language === undefined ? "" : ` language="${language}"`}/>`;

export const item = (guid: string, title: string, inner = ""): string =>
  `<item><title>${title}</title><guid isPermaLink="false">${guid}</guid><link>https://lens.example.com/${guid}</link>` +
  `<pubDate>Mon, 02 Mar 2026 09:00:00 GMT</pubDate><itunes:duration>30:00</itunes:duration>` +
  `<description>Short.</description><content:encoded><![CDATA[<p>Notes of ${title}.</p><p>With <a href="https://e.com">links</a>.</p>]]></content:encoded>` +
  `<enclosure url="https://cdn.example.com/${guid}.mp3?x=1" type="audio/mpeg" length="1"/>${inner}</item>`;

export const buildFeed = (...items: readonly string[]): string =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/"` +
  ` xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Lens Talk</title><link>https://lens.example.com</link>` +
  `<description>Talks about lenses.</description><language>en</language><itunes:author>Harbour Lab</itunes:author>${items.join("")}</channel></rss>`;

export const SPOKEN = JSON.stringify({
  version: "1.0.0",
  segments: [
    { speaker: "Ann", startTime: 0.5, endTime: 2, body: "A prism bends light." },
    { speaker: "Ann", startTime: 2, endTime: 4, body: "Every ring does." },
    { speaker: "Bob", startTime: 9, endTime: 11, body: "Why?" },
  ],
});

export type Parts = { readonly lookup?: Source; readonly feed?: Source; readonly files?: Source; readonly page?: Source };

export const open = ({ lookup, feed, files, page }: Parts = {}) =>
  openWire({
    "itunes.apple.com": lookup ?? (() => sample("audio/apple.lookup.json")),
    "feeds.example.com":
      feed ?? (() => buildFeed(item("guid-12", "Prisms", transcript("https://t.example.com/12.json", "application/json", "en")))),
    "t.example.com": files ?? (() => SPOKEN),
    ...(page === undefined ? {} : { "podcasts.apple.com": page }),
  });
