import type { Source } from "../support/wire.ts";

export const ID = "1790000000000000001";

export const LINK = `https://x.com/harbourlab/status/${ID}?s=20`;

export const SYNDICATION = "cdn.syndication.twimg.com";

export const FX = "api.fxtwitter.com";

export const respondWith =
  (answer: ReturnType<Source>): Source =>
  () =>
    answer;
