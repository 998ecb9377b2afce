import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import {
  compareReleases,
  buildCurrentDocument,
  readAccepted,
  readSnapshot,
  listReleases,
  renderSnapshot,
  getSnapshotFile,
} from "../../scripts/release/snapshots.ts";
import { VERSION } from "#domain/core/version.ts";
import { createDocument, diff, json, operation, query, string } from "./support/documents.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

describe("operations", () => {
  it("an operation may not get a parameter or a body that is required", () => {
    const added = operation({ parameters: [query("q", { required: true })], requestBody: { ...json(string), required: true } });
    expect(diff(createDocument(operation()), createDocument(added))).toEqual([
      "GET /tiles: query parameter q is required now.",
      "GET /tiles: request body is required now.",
    ]);
  });

  it("an operation may not be renamed in either direction", () => {
    const renamed = createDocument(operation({ operationId: "readTile" }));
    expect(diff(createDocument(operation()), renamed)).toEqual(["GET /tiles lost its operationId getTile."]);
  });

  it("an operation may share its parameters, bodies and responses", () => {
    const header = { name: "If-Match", in: "header", schema: string };
    const before = createDocument(operation({ parameters: [header], requestBody: json(string), responses: { 404: json(string) } }));
    const ref = (path: string) => ({ $ref: `#/components/${path}` });
    const after = createDocument(
      operation({
        parameters: [ref("parameters/Match")],
        requestBody: ref("requestBodies/Text"),
        responses: { 404: ref("responses/Missing") },
      }),
      {
        components: {
          parameters: { Match: header },
          requestBodies: { Text: json(string) },
          responses: { Missing: json(ref("schemas/Text")) },
          schemas: { Text: string },
        },
      },
    );
    expect(diff(before, after)).toEqual([]);
    expect(diff(after, before)).toEqual(["Schema Text was removed."]);
  });

  it("an operation reports what a shared component changes at each use", () => {
    const schemas = (required: readonly string[]) => ({
      components: { schemas: { Tile: { type: "object", properties: { id: string }, required } } },
    });
    const use = operation({ responses: { 200: json({ $ref: "#/components/schemas/Tile" }) } });
    expect(diff(createDocument(use, schemas(["id"])), createDocument(use, schemas([])))).toEqual([
      "GET /tiles: response 200 field id may now be missing.",
    ]);
  });
});

const [before, after] = [
  createDocument(operation({ responses: { 200: {}, 404: {} } })),
  createDocument(operation({ responses: { 200: {} } })),
];

it("accepted differences are matched as whole sentences, with * for any text", () => {
  const accept = (difference: string) => compareReleases(before as never, after as never, [{ difference, reason: "" }]);
  expect(accept("* response 404 was removed.")).toEqual({ problems: [], unused: [] });
  expect(accept("response 404 was removed")).toEqual({
    problems: ["GET /tiles: response 404 was removed."],
    unused: ["response 404 was removed"],
  });
});

describe("versions of the API", () => {
  const versions = listReleases(ROOT);

  it.each(versions)("the API changed additively since %s", (version) => {
    const next = versions[versions.indexOf(version) + 1];
    const after = next === undefined ? buildCurrentDocument(VERSION) : readSnapshot(ROOT, next);
    expect(compareReleases(readSnapshot(ROOT, version), after, readAccepted(ROOT, version))).toEqual({ problems: [], unused: [] });
  });

  test("each accepted difference has a reason", () => {
    for (const { reason } of versions.flatMap((version) => readAccepted(ROOT, version))) expect(reason).toMatch(/^[A-Z0-9].{20,}\.$/);
  });

  test("each snapshot is written as the release writes it", async () => {
    for (const version of versions)
      expect(await renderSnapshot(readSnapshot(ROOT, version))).toBe(readFileSync(join(ROOT, getSnapshotFile(version)), "utf8"));
  });
});
