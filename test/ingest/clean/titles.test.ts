import { expect, it } from "vitest";
import { cleanPage } from "#ingest/clean/page.ts";
import { body, clean } from "./page-samples.ts";

const about = (inside: string, head = "") => clean(`<html lang="en"><head>${head}</head><body>${inside}${body}</body></html>`);

it.each([
  ["<title>Lamps of the coast | Harbour</title>", "Lamps of the coast", "Lamps of the coast"],
  [
    "<title>Seven lamps of the northern coast</title>",
    "These are the seven lamps of the northern coast",
    "These are the seven lamps of the northern coast",
  ],
  ["<title>Lamps of the coast Archives | Harbour</title>", "Lamps of the coast", "Lamps of the coast"],
  ["<title>Lamps of the coast | Our services</title>", "", "Lamps of the coast"],
  ["<title>Lamps of the coast - Example Forum</title>", "", "Lamps of the coast"],
  ["<title>Lamps of the coast - part two</title>", "", "Lamps of the coast - part two"],
  ["<title>Elite lamps</title>", "Lamps", "Elite lamps"],
  ["<title>灯台の話 | 港の本</title>", "灯台の話", "灯台の話"],
  ["<title>Lamps of the coast - Example</title>", "Menu", "Lamps of the coast"],
  ["<title>Lamps &amp;amp; oil</title>", "", "Lamps & oil"],
])("page metadata has a title from %s and the heading %s", (head, heading, expected) => {
  expect(about(`<h1>${heading}</h1>`, head).title).toBe(expected);
});

it.each([
  ["lamps", "Lamps"],
  ["elite-lamps.html", "Elite lamps"],
  ["%zz", "Elite lamps - all of them"],
])("page metadata has the one of title and heading that is like the address %s", (name, expected) => {
  const html = `<title>Elite lamps - all of them</title><h1>Lamps</h1>${body}`;
  expect(cleanPage({ html, url: `https://example.com/${name}` }).title).toBe(expected);
});

it("page metadata has the title that most sources say", () => {
  const cut = '<script type="application/ld+json">{"@type":"Article","headline":"Seven lamps of the"}</script>';
  expect(
    about("", `<title>Seven lamps of the coast</title><meta property="og:title" content="Seven lamps of the coast">${cut}`).title,
  ).toBe("Seven lamps of the coast");
});
