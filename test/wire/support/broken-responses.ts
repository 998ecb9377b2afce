import type { Answer, Asked } from "./wire.ts";

export type Part = (asked: Asked) => Answer | undefined;
export const RATE_LIMITED: Answer = { status: 429, headers: { "retry-after": "5" } };
export const BROKEN_RESPONSES: readonly (readonly [string, string])[] = [
  ["no JSON", "Hello"],
  ["a page", "<html></html>"],
  ["an empty object", "{}"],
  ["null", "null"],
  ["unexpected types", '{"data":{"getVideo":[],"video":7,"clip":"x","user":[]},"list":{},"title":{}}'],
];
