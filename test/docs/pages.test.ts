import { describe, expect, it } from "vitest";
import { SETTINGS } from "#config";
import { COMMANDS } from "#cli/commands/all.ts";
import { GUIDES, listBrokenLinks, listFences, listLinkingPages, listProsePages, listMissingPaths, readPage } from "./support/pages.ts";
import { findMismatch } from "./support/match.ts";
import { findLongProse } from "./support/prose.ts";

describe("pages", () => {
  it.each(listLinkingPages())("%s links to files and headings that exist", (page) => {
    expect(listBrokenLinks(page)).toEqual([]);
  });

  it.each(listProsePages())("%s names files that exist", (page) => {
    expect(listMissingPaths(page)).toEqual([]);
  });

  it.each(listProsePages())("%s has short sentences and paragraphs", (page) => {
    expect(findLongProse(readPage(page))).toEqual([]);
  });

  it.each(GUIDES)("docs/%s.md starts with an example that is run", (name) => {
    const text = readPage(`docs/${name}.md`);
    const example = listFences(text).find(({ marks }) => marks.includes("run") || marks.includes("server"));
    const headings = text
      .split("\n")
      .slice(0, example?.line ?? 0)
      .filter((line) => line.startsWith("## "));
    expect(example).toBeDefined();
    expect(headings.length).toBeLessThanOrEqual(1);
  });

  it("the configuration page has every setting", () => {
    const text = readPage("docs/reference/configuration.md");
    expect(Object.values(SETTINGS).filter(({ name }) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it("the command line page has every command", () => {
    const text = readPage("docs/reference/command-line.md");
    expect(COMMANDS.filter(({ name }) => !text.includes(`\`${name}`))).toEqual([]);
  });
});

it("the check of pages finds long sentences and paragraphs, in lists and tables too", () => {
  const long = `${"word ".repeat(41)}.`;
  for (const text of [long, `- ${long}`, `| a | ${long} |`, `Short. ${long}`]) expect(findLongProse(text)).toHaveLength(1);
  expect(findLongProse("A short one. ".repeat(100))).toHaveLength(1);
  expect(findLongProse(`\`\`\`text\n${long}\n\`\`\`\n\nShort.`)).toEqual([]);
});

it.each([
  ["text", "key_… Website", "key_1 Website", true],
  ["text", "key_… Website", "key_1 Other", false],
  ["json", '{ "id": "til_…", "…": "…" }', '{ "id": "til_1", "n": 2 }', true],
  ["json", '{ "id": "til_…" }', '{ "id": "til_1", "n": 2 }', false],
  ["json", '[{ "n": 1 }, "…"]', '[{ "n": 1 }, 2, 3]', true],
  ["json", '[{ "n": 1 }]', '[{ "n": 1 }, 2]', false],
  ["json", '{ "n": "…" }', '{ "n": 2 }', true],
  ["json", '{ "n": null }', "{}", false],
])("the check of pages compares %s %s with %s", (language, shown, printed, fits) => {
  expect(findMismatch(language, shown, printed) === null).toBe(fits);
});
