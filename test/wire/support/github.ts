import { type Asked, openWire, type Source } from "./wire.ts";

export const REPO = "https://github.com/harbour/lens";
export const GIST = "https://gist.github.com/harbour/0123456789abcdef0123456789abcdef";

type Answers = Readonly<Record<string, ReturnType<Source> | ((asked: Asked) => ReturnType<Source>)>>;
export const respondWith =
  (answers: Answers): Source =>
  (asked) => {
    const answer = answers[asked.path];
    return typeof answer === "function" ? answer(asked) : answer;
  };
export const open = (api: Answers, more: { readonly raw?: Answers; readonly page?: Answers; readonly gist?: Answers } = {}) =>
  openWire({
    "api.github.com": respondWith(api),
    ...(more.raw === undefined ? {} : { "raw.githubusercontent.com": respondWith(more.raw) }),
    ...(more.page === undefined ? {} : { "github.com": respondWith(more.page) }),
    ...(more.gist === undefined ? {} : { "gist.githubusercontent.com": respondWith(more.gist) }),
  });
export const ARTICLE_TEXT =
  "The lens of a lighthouse bends the light of a small lamp into a flat beam that is seen for twenty miles at sea. ".repeat(8);
export const article = (title: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><article><h1>${title}</h1><p>${ARTICLE_TEXT}</p></article></body></html>`;
export const rateLimitedUntil = (reset: number): ReturnType<Source> => ({
  status: 403,
  headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(reset) },
  body: '{"message":"API rate limit exceeded for 1.2.3.4."}',
});
