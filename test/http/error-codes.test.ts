import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ERROR_CODES, type ErrorCode } from "#domain/core/errors/error-codes.ts";
import { buildDocument } from "#http/openapi/document.ts";
import { getStatus } from "#http/response/errors.ts";
import { createRoutes } from "#http/routes/all.ts";

const ROOT = join(import.meta.dirname, "../..");
const codes = Object.keys(ERROR_CODES) as ErrorCode[];

test("every code is one word in snake_case, and its title a sentence", () => {
  for (const code of codes) {
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect(ERROR_CODES[code][1], code).toMatch(/^[A-Z].*\.$/);
  }
});

test("the reference lists exactly these codes, with their status", () => {
  const page = readFileSync(join(ROOT, "docs/reference/errors.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \| (.*) \|$/gm)].map(([, code, status, title]) => [
    code,
    Number(status),
    title,
  ]);
  expect(rows).toEqual(codes.map((code) => [code, getStatus(code), ERROR_CODES[code][1]]));
});

test("the OpenAPI document lists exactly these codes", () => {
  const document = buildDocument(createRoutes({ name: 1, title: 1, content: 1, question: 1 }), "") as any;
  expect(document.components.schemas.ErrorCode.enum).toEqual(codes);
});

test("the sources use every code, and no other", () => {
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith("error-codes.ts"))
    .map((name) => readFileSync(join(ROOT, "src", name), "utf8"))
    .join("\n");
  const nouns = [...sources.matchAll(/notFound\("([A-Za-z]+)"\)/g)].map(([, noun = ""]) => `${noun.toLowerCase()}_not_found`);
  expect(codes.filter((code) => !sources.includes(`"${code}"`) && !nouns.includes(code))).toEqual([]);
});
