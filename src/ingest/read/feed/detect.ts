const XML_ROOT = /^<(?:rss|feed|rdf:RDF)[\s>]/i;
const JSON_FEED = /^\{[\s\S]*"version"\s*:\s*"https?:(?:\\?\/){2}jsonfeed\.org\\?\/version\\?\//;

/** Whether text that starts with `head` is a feed: RSS, Atom or RDF by the root element, JSON Feed by its version (jsonfeed.org). */
export function isFeedText(head: string): boolean {
  let rest = head.replace(/^(?:\uFEFF|\u00EF\u00BB\u00BF)/, "").trimStart();
  if (rest.startsWith("{")) return JSON_FEED.test(rest.slice(0, 4_096));
  for (const [start, end] of [
    ["<?", "?>"],
    ["<!--", "-->"],
    ["<!DOCTYPE", ">"],
    ["<?", "?>"],
    ["<!--", "-->"],
  ] as const) {
    while (rest.startsWith(start)) {
      const stop = rest.indexOf(end);
      if (stop < 0) return false;
      rest = rest.slice(stop + end.length).trimStart();
    }
  }
  if (/^<rdf:RDF/i.test(rest)) return rest.includes("http://purl.org/rss/1.0/") || rest.includes("netscape.com/rdf/simple/0.9");
  return XML_ROOT.test(rest);
}
