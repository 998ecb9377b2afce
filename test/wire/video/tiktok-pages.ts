import { type Answer, type Asked, openWire, sample } from "../support/wire.ts";

export const LINK = "https://www.tiktok.com/@harbour.lab/video/7301234567890123456";

export const CDN = "v16-webapp.tiktokcdn.example";

export type Item = Record<string, unknown> & { video?: Record<string, unknown> };

export const readPageData = (html: string): { __DEFAULT_SCOPE__: Record<string, Record<string, unknown>> } =>
  JSON.parse(/type="application\/json">(.*)<\/script>/s.exec(html)?.[1] ?? "") as never;

export const buildPage = (scope: unknown): string =>
  `<!DOCTYPE html><html><head><title>TikTok - Make Your Day</title></head><body><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${JSON.stringify({ __DEFAULT_SCOPE__: scope })}</script></body></html>`;

/** The page of the sample with a changed post. */
export function changed(change: (item: Item) => void): string {
  const { __DEFAULT_SCOPE__: scope } = readPageData(sample("video/tiktok.page.html"));
  change((scope["webapp.video-detail"] as { itemInfo: { itemStruct: Item } }).itemInfo.itemStruct);
  return buildPage(scope);
}

export type Part = (asked: Asked) => Answer | undefined;

export const open = (more: { page?: Part; oembed?: Part; captions?: Part } = {}) =>
  openWire({
    "www.tiktok.com": (asked) => {
      if (asked.path === "/oembed") return (more.oembed ?? (() => sample("video/tiktok.oembed.json")))(asked);
      return (more.page ?? (() => sample("video/tiktok.page.html")))(asked);
    },
    [CDN]: more.captions ?? (() => sample("video/tiktok.subtitles.vtt")),
  });
