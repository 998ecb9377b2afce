export const LINK = "https://blog.example.com/feed";

export const rss = (items: string, channel = ""): string =>
  `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"` +
  ` xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Harbour &amp; Lab</title><atom:link rel="self" href="${LINK}"/><link>https://blog.example.com/</link>` +
  `<description>On lenses.</description><language>en-GB</language>${channel}${items}</channel></rss>`;

export const entry = (title: string, day: string, inner = ""): string =>
  `<item><title>${title}</title><link>https://blog.example.com/${encodeURIComponent(title)}</link><pubDate>${day} Mar 2026 09:00:00 GMT</pubDate>${inner}</item>`;
