import { type Asked, type openWire, sample } from "../support/wire.ts";

export const WWW = "www.reddit.com";

export const TOKEN = '{"access_token":"tok-1_a","token_type":"bearer","expires_in":86400,"scope":"*"}';

export const OEMBED =
  '{"type":"rich","title":"How do lenses work?","author_name":"jane_keeper","provider_name":"reddit","html":"<blockquote></blockquote>"}';

export type Answered = ReturnType<Parameters<typeof openWire>[0][string]>;

export const respondWith = (answer: Answered) => () => answer;

export const reddit = (more: Partial<Record<"atom" | "oembed" | "token" | "share", (asked: Asked) => Answered>>) => (asked: Asked) => {
  if (asked.path.endsWith("/.rss")) return (more.atom ?? respondWith(sample("social/reddit.comments.atom.xml")))(asked);
  if (asked.path === "/oembed") return (more.oembed ?? respondWith(OEMBED))(asked);
  if (asked.path === "/api/v1/access_token") return (more.token ?? respondWith(TOKEN))(asked);
  return more.share?.(asked);
};

export const entry = (id: string, author: string, html: string, title = "How do lenses work?"): string =>
  `<entry><author><name>/u/${author}</name></author><content type="html">${html.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")}</content><id>${id}</id><link href="https://www.reddit.com/r/optics/comments/1abcdef/x/"/><updated>2026-03-02T09:00:00+00:00</updated><title>${title}</title></entry>`;

export const buildAtom = (...entries: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>How do lenses work? : optics</title>${entries.join("")}</feed>`;
