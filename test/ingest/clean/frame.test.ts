import { expect, it } from "vitest";
import { cleanPage } from "#ingest/clean/page.ts";

it.each([
  ["a comment", "<!-- <html > -->"],
  ["a script", "<script>'<html >'</script>"],
  ["a title", "<title><html ></title>"],
])("a page whose only html tag is in %s is parsed", (_where, start) => {
  const words = "The keeper trimmed the lamp every evening before the ships came in.";
  expect(cleanPage({ html: `${start}<p>${words}</p>`, url: "https://a.example/" }).text).toContain(words);
});

it.each(["<!-- <html > -->x", "<!-- <html > --><svg></svg>", "</html ><html ", "<script><html ></script>"])(
  "a page without an html tag does not throw: %s",
  (html) => {
    expect(cleanPage({ html, url: "https://a.example/" }).warnings).toEqual(expect.any(Array));
  },
);

const PROSE =
  "The keeper of the light climbs the stair every evening, trims the lamp, and writes down the weather of the day in a book. ".repeat(3);
const INSIDE = `<nav><a href="/">Home page</a><a href="/tours">Guided tours</a></nav><div class="post"><h1>The keeper</h1><p>${PROSE}</p><p>${PROSE}</p></div><p>© 2025 Harbour trust</p>`;

it.each([
  ["without a head", `<html><title>The keeper</title><body>${INSIDE}</body></html>`],
  ["with a head that is never closed", `<html><head><title>The keeper</title><div>${INSIDE}</div></html>`],
  ["with two heads", `<html><head></head><head><title>The keeper</title></head><body>${INSIDE}</body></html>`],
  [
    "with something before the tag of html",
    `<meta charset="utf-8"><title>The keeper</title><html><body class="load">${INSIDE}</body></html>`,
  ],
  ["with a body inside another element", `<html><head><title>The keeper</title></head><div id="root"><body>${INSIDE}</body></div></html>`],
  [
    "with a tag of html for each old browser",
    `<html class="ie6"><html class="ie7"><html><head><title>The keeper</title></head><body>${INSIDE}</body></html>`,
  ],
  [
    "with a page inside the page",
    `<html><head><title>The keeper</title></head><body><nav>Menu</nav><article><html><body>${INSIDE}</body></html></article></body></html>`,
  ],
  ["with hundreds of tags of body", `<html><head><title>The keeper</title></head>${"<body>".repeat(300)}${INSIDE}</html>`],
])("a page %s is parsed as a browser does", (_name, html) => {
  const { text } = cleanPage({ html, url: "https://harbour.example/keeper" });
  expect(text).toContain("trims the lamp");
  expect(text).not.toContain("Guided tours");
  expect(text).not.toContain("Harbour trust");
});

it.each([
  [
    "in the head",
    `<html><head>${PROSE}<title>The keeper</title></head><body><p>Short words of the keeper, told once more in the evening.</p></body></html>`,
  ],
  [
    "after the body",
    `<html><head><title>The keeper</title></head><body><p>Short words of the keeper, told once more in the evening.</p></body>${PROSE}</html>`,
  ],
  [
    "before the page",
    `${PROSE}<html><head><title>The keeper</title></head><body><p>Short words of the keeper, told once more in the evening.</p></body></html>`,
  ],
])("text %s is kept", (_where, html) => {
  const { text } = cleanPage({ html, url: "https://harbour.example/keeper" });
  expect(text).toContain("trims the lamp");
  expect(text).toContain("Short words of the keeper");
});
