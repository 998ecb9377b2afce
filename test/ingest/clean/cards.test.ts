import { expect, it } from "vitest";
import type { Model } from "#ingest/clean/model/model.ts";
import { cleanPage } from "#ingest/clean/page.ts";
import { onlyType, PAGE_TYPES, type PageType } from "#ingest/clean/type/page-type.ts";
import { url } from "./page-samples.ts";

const sentence = "Every piece is turned, planed and oiled by hand in our workshop, and each one is a little different.";

const NAMES = ["Walnut board", "Maple tray", "Oak bowl", "Cherry box", "Ash rolling pin"];
const writeCard = (name: string): string =>
  `<li><h3><a href="/${name}">${name}</a></h3><h3><a href="/${name}">${name}</a></h3><p>24.00 USD</p><p>Quick view</p></li>`;
const writeCards = (names: readonly string[]): string => `<ul>${names.map(writeCard).join("")}</ul>`;
const written = (name: string): string => `- ### ${name}\n  24.00 USD`;

/** Reads a page of whose blocks only sentences are likely content. */
function read(body: string, type: PageType = "collection"): string {
  const model: Model = ({ elements, blocks }) => ({
    types: onlyType(type),
    titleAt: blocks.findIndex(({ element }) => elements[element]?.tag === "h1"),
    probabilities: Float32Array.from(blocks, ({ text }) => (text.includes(sentence) ? 0.95 : 0.04)),
  });
  return cleanPage({ html: `<html><head><title>Kitchen</title></head><body>${body}</body></html>`, url }, model).text;
}

it.each(["collection", "listing"] as const)("a %s has all cards after its introduction, without the names of their buttons", (type) => {
  const text = read(`<h1>Kitchen</h1><p>${sentence}</p>${writeCards(NAMES)}`, type);
  expect(text).toContain(sentence);
  expect(text).toContain(NAMES.map(written).join("\n"));
  expect(text).not.toContain("Quick view");
});

it("cards may be elements of any kind, with a picture in place of a second line", () => {
  const cards = NAMES.map((name) => `<div class="tile"><img src="a.jpg"><a href="/${name}">${name}</a></div>`).join("");
  for (const name of NAMES) expect(read(`<h1>Kitchen</h1><p>${sentence}</p><section>${cards}</section>`)).toContain(name);
});

it.each([
  ["pages of another type", `<h1>Kitchen</h1><p>${sentence}</p>${writeCards(NAMES)}`, "product"],
  ["menus", `<h1>Kitchen</h1><p>${sentence}</p><nav>${writeCards(NAMES)}</nav>`, "collection"],
  ["related things", `<h1>Kitchen</h1><p>${sentence}</p><div class="related">${writeCards(NAMES)}</div>`, "collection"],
  ["what precedes the title", `${writeCards(NAMES)}<h1>Kitchen</h1><p>${sentence}</p>`, "collection"],
  ["a few", `<h1>Kitchen</h1><p>${sentence}</p>${writeCards(NAMES.slice(0, 3))}`, "collection"],
  [
    "links without anything",
    `<h1>Kitchen</h1><p>${sentence}</p><ul>${NAMES.map((name) => `<li><a href="/">${name}</a></li>`).join("")}</ul>`,
    "collection",
  ],
] as const)("a page's cards are not those of %s", (_name, body, type) => {
  const text = read(body, type);
  for (const name of NAMES) expect(text).not.toContain(name);
});

it("a page that is a collection by little has its cards too, like the type that it shows", () => {
  const types = PAGE_TYPES.map((type) => (type === "collection" ? 0.28 : 0.12));
  const model: Model = ({ blocks }) => ({
    ...{ types, titleAt: -1 },
    probabilities: Float32Array.from(blocks, ({ text }) => (text.includes(sentence) ? 0.95 : 0.04)),
  });
  const html = `<html><head><title>Kitchen</title></head><body><p>${sentence}</p>${writeCards(NAMES)}</body></html>`;
  const { text, pageType } = cleanPage({ html, url }, model);
  expect(pageType).toBe("collection");
  expect(text).toContain(NAMES.map(written).join("\n"));
});

it("rows of a table are no cards, and keep cells that repeat", () => {
  const row = (name: string): string => `<tr><td><a href="/t">${name}</a></td><td>3</td><td>3</td><td>Yes</td></tr>`;
  const table = `<table><tr><th>Team</th><th>Home</th><th>Away</th><th>Paid</th></tr>${NAMES.map(row).join("")}</table>`;
  const model: Model = ({ blocks }) => ({
    types: onlyType("listing"),
    titleAt: -1,
    probabilities: new Float32Array(blocks.length).fill(0.9),
  });
  const html = `<html><head><title>Teams</title></head><body><p>${sentence}</p>${table}</body></html>`;
  expect(cleanPage({ html, url }, model).text).toContain("| Oak bowl | 3 | 3 | Yes |");
});

it("the longest series of cards is the content, if most of its elements are cards", () => {
  const filters = `<ul>${Array.from({ length: 40 }, (_, at) => `<li>Colour number ${at} of the whole range of our paints</li>`).join("")}</ul>`;
  const text = read(`<h1>Kitchen</h1><p>${sentence}</p>${filters}${writeCards(NAMES)}`);
  expect(text).toContain(written("Oak bowl"));
  expect(text).not.toContain("Colour number");
});
