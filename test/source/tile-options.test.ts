import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const FILES = "{src,web/src,sdk/src,docs}/**/*.{ts,tsx,sql,md}";

/** What a new option of a tile that influences search changes besides its tests. CONTRIBUTING.md says what to do in each. */
const FILES_OF_THE_LANGUAGE_HINT = [
  "docs/ingest.md",
  // Written by `npm run sdk:types`.
  "sdk/src/generated/operations.ts",
  "sdk/src/generated/schemas.ts",
  "src/domain/content/tile-options.ts",
  "src/http/wire/tiles/tile-options.ts",
  "src/retrieval/text/language/language.ts",
  "src/storage/postgres/engine/migrations/0.2/015-language-hint.sql",
  "src/storage/sql/tiles/rows/tile-fields.ts",
  "src/storage/sqlite/engine/migrations/0.2/015-language-hint.sql",
];

it("a tile option that influences search is named in few files", () => {
  const files = globSync(FILES, { cwd: ROOT }).map((file) => file.replaceAll("\\", "/"));
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.filter((file) => /language_?hint/i.test(readFileSync(join(ROOT, file), "utf8")));
  expect(found.toSorted()).toEqual(FILES_OF_THE_LANGUAGE_HINT);
});
