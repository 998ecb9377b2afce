import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ALLOWED_IMPORTS } from "../../import-rules.ts";

it("docs/architecture.md lists what each folder may import", () => {
  const document = readFileSync(join(import.meta.dirname, "../../docs/architecture.md"), "utf8");
  const rows = [...document.matchAll(/^\| `src\/([a-z]+)\/` \|.*\| ([^|]+) \|$/gm)];
  const listed = rows.map(([, folder = "", imports = ""]) => [folder, [...imports.matchAll(/`([a-z]+)`/g)].map(([, name]) => name)]);
  expect(Object.fromEntries(listed)).toEqual(ALLOWED_IMPORTS);
});
