import { expect, it } from "vitest";
import { composePages } from "../../../bench/quality/structure/pages.ts";
import { scoreText, sumShares, toNumber } from "../../../bench/quality/structure/scores.ts";
import { cleanPage } from "#ingest/clean/page.ts";

const url = "https://harbour.example/notes/lens";
const sentence = "The lens bends the light, and the keeper of the lighthouse turns it through the night, whatever the weather. ";
const prose = `<p>${sentence.repeat(2)}</p><p>${sentence.repeat(3)}</p>`;
const page = (inside: string, around = ""): string =>
  `<html lang="en"><head><title>Lens of the north | Harbour</title></head><body><header><nav><a href="/">Home page</a><a href="/tours">Guided tours</a></nav></header>
  <main><article><h1>Lens of the north</h1>${inside}</article>${around}</main><footer><p>© 2025 Harbour trust</p></footer></body></html>`;
const cleanText = (inside: string, around = ""): string => cleanPage({ html: page(inside, around), url }).text;

it.each([
  [
    "a table at the end",
    `${prose}<table><tr><th>Lamp</th><th>Metres</th></tr><tr><td>North</td><td>40</td></tr></table>`,
    "| North | 40 |",
  ],
  [
    "a table with row headers",
    `${prose}<table><tr><th>Built</th><td>1856</td></tr><tr><th>Height</th><td>32 m</td></tr></table>${prose}`,
    "| Built | 1856 |",
  ],
  [
    "a table's caption",
    `${prose}<table><caption>Lamps by year</caption><tr><td>1856</td><td>Oil</td></tr><tr><td>1924</td><td>Gas</td></tr></table>`,
    "Lamps by year\n\n|  |  |\n| --- | --- |\n| 1856 | Oil |",
  ],
  [
    "times in cells",
    `${prose}<table><tr><td>High water</td><td>06:42</td></tr><tr><td>Low water</td><td>12:58</td></tr></table>`,
    "| High water | 06:42 |",
  ],
  [
    "an info box at the top",
    `<aside class="infobox"><table><tr><th>Keeper</th><td>Ada Lumen</td></tr><tr><th>Range</th><td>21 miles</td></tr></table></aside>${prose}`,
    "| Keeper | Ada Lumen |",
  ],
  ["a definition list", `${prose}<dl><dt>Fresnel</dt><dd>A lens of rings</dd></dl>`, "A lens of rings"],
  ["a closing address", `${prose}<p>North light, Pier Road 4, Marl</p><p>Open daily from ten to four</p>`, "Open daily from ten to four"],
  ["a contact by mail", `${prose}<p>Contact the keeper: keeper@harbour.example</p>`, "keeper@harbour.example"],
  [
    "a caption",
    `${prose}<figure><img src="a.png"><figcaption>The tower in 1932, before it was painted.</figcaption></figure>${prose}`,
    "The tower in 1932",
  ],
  ["footnotes", `${prose}<ol class="footnotes"><li id="fn1">Harbour ledger of 1856, folio 12.</li></ol>`, "Harbour ledger of 1856"],
  ["one-line sections", `${prose}<h2>Dogs</h2><p>On a lead</p><h2>Rain</h2><p>Tours go on</p>`, "## Dogs\n\nOn a lead"],
  ["code at the end", `${prose}<pre><code>lamp --on</code></pre>`, "lamp --on"],
  [
    "the question of an accordion",
    `${prose}<h3><button aria-expanded="false">May I climb?</button></h3><div class="panel"><p>Yes, in groups of six.</p></div>`,
    "### May I climb?",
  ],
  [
    "a step that begins with Click",
    `${prose}<ol><li>Click on Save to keep the log.</li><li>Click to the left of the lamp.</li></ol>`,
    "Click on Save",
  ],
  ["a line that starts with the word of a label", `${prose}<p>Category 3 storms close the gallery.</p>`, "Category 3 storms"],
  ["a minute count", `${prose}<ul><li>Oven: 180 degrees</li><li>25 min</li></ul>`, "25 min"],
  ["biscuits that are called cookies", `${prose}<p>We bake cookies for visitors on Sundays.</p>`, "bake cookies"],
])("a structured fact is kept: %s", (_name, html, expected) => {
  expect(cleanText(html)).toContain(expected);
});

it("rows of empty cells and empty tables are removed", () => {
  const table =
    "<table><tr><td></td><td> </td></tr><tr><td>North</td><td>40</td></tr><tr><td>South</td><td>38</td></tr><tr><td></td><td></td></tr></table>";
  expect(cleanText(prose + table + prose)).toContain("|  |  |\n| --- | --- |\n| North | 40 |\n| South | 38 |");
  expect(cleanText(`${prose}<table><tr><td></td><td></td></tr><tr><td></td><td></td></tr></table>`)).not.toContain("|");
});

it.each([
  [
    "a call to action",
    '<div class="cta"><p>See the lamp for yourself!</p><a class="btn" href="/book">Book a tour</a></div>',
    "Book a tour",
  ],
  ["teasers", '<div><h3><a href="/1">Fog horn sold</a></h3><h3><a href="/2">Gulls return</a></h3></div>', "Fog horn sold"],
  ["a notice about cookies", "<div><p>We use cookies to understand how you use this site.</p></div>", "We use cookies"],
  ["a question about the page", "<div><p>Was this page helpful?</p><button>Yes</button></div>", "helpful"],
  ["when the page was reviewed", "<p>Page last reviewed on 4 August 2025</p>", "last reviewed"],
  ["text for screen readers only", '<span class="visually-hidden">Opens in a new window</span>', "new window"],
])("known boilerplate is removed: %s", (_name, html, unwanted) => {
  expect(cleanText(prose + prose, html)).not.toContain(unwanted);
});

it("one of two equal captions is removed", () => {
  const slide = "<figure><img src=a><figcaption>The keeper lights the lamp for the first time.</figcaption></figure>";
  expect(cleanText(prose + slide + slide + prose).split("for the first time")).toHaveLength(2);
});

it("the text keeps 98 % of the facts of the benchmark pages and at most 2 % of their boilerplate", { timeout: 300_000 }, () => {
  const scores = composePages().map((one) => scoreText(cleanPage(one).text, { ...one.content, boilerplate: one.boilerplate }));
  expect(toNumber(sumShares(scores.map(({ facts }) => facts)))).toBeGreaterThanOrEqual(0.98);
  expect(toNumber(sumShares(scores.map(({ rows }) => rows)))).toBeGreaterThanOrEqual(0.98);
  expect(toNumber(sumShares(scores.map(({ boilerplate }) => boilerplate)))).toBeLessThanOrEqual(0.02);
});

it("a page of sections without a main part keeps those of short lines", () => {
  const section = (inside: string): string => `<section class="row"><div class="column">${inside}</div></section>`;
  const html = `<html><head><title>Fees – Office Roussel</title></head><body><div class="top"><nav><a href="/">Home page</a><a href="/fields">Our fields of law</a></nav></div>
    <div class="page">${section(`<h1>Fees</h1><p>${sentence.repeat(4)}</p>`)}${section("<h3>First meeting</h3><p>90 €</p><p>Written report</p>")}${section("<ul><li>22, quai de la Fontaine, Nîmes</li><li>Closed on Mondays</li></ul>")}</div>
    <div class="bottom"><p>© Office Roussel</p></div></body></html>`;
  const { text } = cleanPage({ html, url });
  expect(text).toContain("Written report");
  expect(text).not.toContain("Our fields of law");
});

it("a short page keeps the line under a heading", () => {
  const html = `<html><head><title>Onboarding</title></head><body><article><h1>Onboarding</h1><p>Your first week is slow, and your buddy keeps lunch free every day.</p>
    <div><h3>Quiet room</h3><p>Third floor, no calls.</p></div></article></body></html>`;
  expect(cleanPage({ html, url }).text).toContain("Third floor, no calls.");
});

it("a short page keeps a list after the last sentence, although its items are short", () => {
  const html = `<html><head><title>Hum</title></head><body><h1>Hum</h1><div><p>It was the resistor, changed now, and the hum is gone. These are the parts.</p>
    <ul><li>R9 metal film</li><li>C22 polyester</li></ul></div></body></html>`;
  expect(cleanPage({ html, url }).text).toContain("- R9 metal film\n- C22 polyester");
});

it("shortened copies of a caption in a gallery are removed", () => {
  const caption = "The keeper trims the lamp of the north light in the winter of 1932, the year before the tower was painted.";
  const box = `<div class="full">${caption} <a>less</a></div><div class="short">${caption.slice(0, 90)}<a> ... more</a></div>`;
  const text = cleanText(`${prose}<div class="pictures">${box}${box}</div>${prose}`);
  expect(text.split("The keeper trims the lamp of the north").length).toBe(2);
});

it.each([
  "Posted in Calais during the war, he learned to mend nets and to read the weather from the colour of the sea.",
  "Filed under oath, the statement says that nobody was on the bridge when the tug turned against the tide.",
  "Get fresh groceries delivered to your door while the storm lasts, the mayor said, and leave the road to the ploughs.",
  "Comments were hidden for a day while the moderators read through all that had been said about the new pier.",
  "Become a member of the guild first: exclusive rights to the oyster beds were only given to those who had sworn.",
  "Many of the islanders follow the harbour master on Facebook, because the timetable there is changed before the printed one.",
  "Failed to load the cargo in time, the ship left without the grain and came back for it a month later.",
])("a sentence that starts like boilerplate is kept: %s", (line) => {
  expect(cleanText(`${prose}<p>${line}</p>${prose.replaceAll("keeper", "watchman")}`)).toContain(line);
});

it.each([
  "Folgen Sie unserem offiziellen Twitter-Account @leuchtturm_nord",
  "Folgt uns auf Instagram!",
  "Suivez le phare du nord sur Twitter : @phare_nord",
  "Síguenos en Facebook y no te pierdas nada",
  "Siga-nos no Instagram: @farol_norte",
])("a call to follow an account is removed after an article: %s", (line) => {
  expect(cleanText(`${prose}<ul><li>${line}</li></ul>`)).not.toContain(line);
});

it.each([
  "Folgen hatte der Streit auf Twitter keine, sagt die Wärterin, denn der Leuchtturm blieb auch im Winter offen.",
  "Folgen Sie dem Pfad bis zum Leuchtturm und läuten Sie dort die Glocke, damit die Wärterin Sie hört.",
  "Suivez le sentier jusqu'au phare, puis demandez la clé au gardien qui habite la maison blanche.",
])("a sentence that starts like a call to follow is kept: %s", (line) => {
  expect(cleanText(`${prose}<p>${line}</p>${prose.replaceAll("keeper", "watchman")}`)).toContain(line);
});

it("picture cards keep their text, whatever image library it names", () => {
  const card = (name: string): string =>
    `<div class="image-card"><img src="a.png"><p>${name} gives its pictures away, and asks for the name of the photographer in return.</p></div>`;
  const text = cleanText(`${prose}${card("Unsplash")}${card("Pixabay")}${card("Pexels")}`);
  for (const name of ["Unsplash", "Pixabay", "Pexels"]) expect(text).toContain(`${name} gives its pictures away`);
});
