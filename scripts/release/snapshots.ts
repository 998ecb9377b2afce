import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { format } from "oxfmt";
import { readConfig } from "../../src/config.ts";
import { buildDocument } from "../../src/http/openapi/document.ts";
import { createRoutes } from "../../src/http/routes/all.ts";
import { diffOpenApi } from "./openapi-diff.ts";
import type { Json } from "./openapi-facts.ts";
import { compareVersions, parseVersion } from "./versions.ts";

/** A difference that does not break clients, and why. `*` in the sentence stands for any text. */
export type Accepted = { readonly difference: string; readonly reason: string };

/** What is checked in for each release: a folder with the document, and the accepted differences to the release after it. */
const FOLDER = "releases";
const ACCEPTED_FILE = "accepted-differences.json";

/** Where the document of a release is, relative to the root. */
export const getSnapshotFile = (version: string): string => join(FOLDER, version, "openapi.json");

/** The versions with a snapshot, the oldest first. */
export function listReleases(root: string): readonly string[] {
  const folder = join(root, FOLDER);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => parseVersion(name) !== undefined)
    .toSorted(compareVersions);
}

export const readSnapshot = (root: string, version: string): Json =>
  JSON.parse(readFileSync(join(root, getSnapshotFile(version)), "utf8")) as Json;

/** Differences between a release and the one after it that were found not to break clients. */
export function readAccepted(root: string, version: string): readonly Accepted[] {
  const file = join(root, FOLDER, version, ACCEPTED_FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Accepted[]) : [];
}

/** The document that a server with default settings serves, with this version. */
export function buildCurrentDocument(version: string): Json {
  const { maxZoneName, maxTitle, maxContent, maxQuestion } = readConfig({});
  const document = buildDocument(createRoutes({ name: maxZoneName, title: maxTitle, content: maxContent, question: maxQuestion }), "");
  return { ...document, info: { ...(document["info"] as Json), version } };
}

/** The document as it is checked in: formatted as everything else, so that two of them can be compared by reading. */
export async function renderSnapshot(document: Json): Promise<string> {
  const { code, errors } = await format("openapi.json", JSON.stringify(document), { printWidth: 140 });
  if (errors.length > 0) throw new Error(`The OpenAPI document cannot be formatted: ${errors[0]?.message}`);
  return code;
}

/** What breaks clients of the old document, and the accepted differences that do not occur. */
export type Comparison = { readonly problems: readonly string[]; readonly unused: readonly string[] };

export function compareReleases(before: Json, after: Json, accepted: readonly Accepted[]): Comparison {
  const differences = diffOpenApi(before, after);
  const patterns = accepted.map(({ difference }) => ({ difference, pattern: toPattern(difference) }));
  return {
    problems: differences.filter((sentence) => !patterns.some(({ pattern }) => pattern.test(sentence))),
    unused: patterns.filter(({ pattern }) => !differences.some((sentence) => pattern.test(sentence))).map(({ difference }) => difference),
  };
}

const toPattern = (sentence: string): RegExp => new RegExp(`^${sentence.split("*").map(RegExp.escape).join(".*")}$`);
