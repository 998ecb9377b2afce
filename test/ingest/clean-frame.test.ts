import { expect, it } from "vitest";
import { cleanPage } from "#ingest/clean/page.ts";

it.each([
  ["a comment", "<!-- <html > -->"],
  ["a script", "<script>'<html >'</script>"],
  ["a title", "<title><html ></title>"],
])("a page whose only html tag stands in %s is read", (_where, start) => {
  const words = "The keeper trimmed the lamp every evening before the ships came in.";
  expect(cleanPage({ html: `${start}<p>${words}</p>`, url: "https://a.example/" }).text).toContain(words);
});

it.each(["<!-- <html > -->x", "<!-- <html > --><svg></svg>", "</html ><html ", "<script><html ></script>"])(
  "a page without a frame of its own does not fail the reader: %s",
  (html) => {
    expect(cleanPage({ html, url: "https://a.example/" }).warnings).toEqual(expect.any(Array));
  },
);
