import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SITES } from "#ingest/sites/registry.ts";
import { renderSites } from "../../scripts/write/sites.ts";

const generated = await renderSites();

it.each([...generated.keys()])("%s equals the output of `npm run sites`", (path) => {
  expect(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")).toBe(generated.get(path));
});

it("every tile type belongs to one site", () => {
  const types = SITES.map(({ type }) => type);
  expect(new Set(types).size).toBe(types.length);
});

it("every subtype of an address has at most one reader, and the general reader comes last", () => {
  for (const { label, readers } of SITES) {
    const subtypes = readers.flatMap((reader) => reader.subtypes ?? []);
    expect(new Set(subtypes).size, label).toBe(subtypes.length);
    expect(
      readers.slice(0, -1).every((reader) => reader.subtypes !== undefined),
      label,
    ).toBe(true);
  }
});
