import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VERSION } from "#domain/core/version.ts";
import { FEED_EVENTS } from "#domain/events/event.ts";
import { buildNodeRed } from "../../../scripts/package/node-red.ts";

const ROOT = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "tessera-node-red-package-"));
const read = (path: string): string => readFileSync(join(folder, path), "utf8");

beforeAll(() => buildNodeRed(ROOT, folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = () => read("dist/tessera.html");
const catalog = () => JSON.parse(read("dist/locales/en-US/tessera.json"));
const TYPES = ["server", "create", "ask", "search", "generate", "event-in"].map((name) => `tessera-${name}`);
const find = (text: string, pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(([, found = ""]) => found);

test("the package has a version, no dependencies, and CommonJS that loads nothing else", () => {
  const manifest = JSON.parse(read("package.json"));
  expect(manifest).toMatchObject({ name: "@tessera-board/node-red-contrib-tessera", version: VERSION, license: "MIT" });
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest).not.toHaveProperty("devDependencies");
  expect(find(read("dist/tessera.js"), /\brequire\("([^"]+)"\)/g)).toEqual([]);
});

test("every node has a dialog, a help text and a name", () => {
  expect(find(page(), /data-template-name="([^"]+)"/g).toSorted()).toEqual(TYPES.toSorted());
  expect(find(page(), /register(?:Type)?\("([^"]+)"/g).toSorted()).toEqual(TYPES.toSorted());
  expect(find(read("dist/locales/en-US/tessera.html"), /data-help-name="([^"]+)"/g)).toEqual(TYPES);
  expect(Object.keys(catalog().palette)).toEqual(TYPES.slice(1));
  expect(readdirSync(join(folder, "dist/icons"))).toEqual(find(page(), /icon: "([^"]+)"/g).slice(0, 1));
});

test("the dialog of events offers those that the server sends", () => {
  const offered = find(page(), /type="checkbox" value="([^"]+)"/g);
  expect(offered.toSorted()).toEqual(FEED_EVENTS.filter((event) => event !== "source.failing").toSorted());
});

test("every text that the nodes and dialogs show is in the catalog, and no other", () => {
  const sources = readdirSync(join(ROOT, "integrations/node-red/src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(ROOT, "integrations/node-red/src", name), "utf8"));
  const used = [
    ...find(page(), /data-i18n="(?:\[placeholder\])?([^"]+)"/g),
    ...find(page(), /"((?:option|test)\.[\w-]+)"/g),
    ...TYPES.slice(1).map((type) => `palette.${type}`),
    ...sources.flatMap((source) => find(source, /"((?:status|errors)\.[\w-]+)"/g)),
  ];
  const defined = Object.entries(catalog() as Record<string, object>).flatMap(([group, texts]) =>
    Object.keys(texts).map((name) => `${group}.${name}`),
  );
  expect([...new Set(used)].toSorted()).toEqual(defined.toSorted());
});

test("the examples use the nodes of this package, with all fields of their dialogs and without keys", () => {
  const examples = readdirSync(join(folder, "examples"));
  expect(examples).toHaveLength(2);
  for (const name of examples) {
    const nodes = JSON.parse(read(`examples/${name}`)) as readonly { readonly type: string; readonly server?: string }[];
    expect(nodes.some(({ type }) => TYPES.slice(1).includes(type))).toBe(true);
    expect(nodes.filter(({ type }) => type === "tessera-server")).toHaveLength(1);
    expect(read(`examples/${name}`)).not.toMatch(/apiKey|tsr_/);
  }
});
