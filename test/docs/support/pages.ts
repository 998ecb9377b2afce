import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../../..");

/** The guides of `docs/`: one page for each task. */
export const GUIDES = ["start", "ingest", "inbound", "ask", "generate", "webhooks", "settings", "deploy", "scale", "develop"] as const;

/** Pages whose sentences quote another document, or describe every part of the code in one page. */
const NOT_PROSE = ["docs/reference/conformance.md"];

/** Every page of documentation, as a path below the root, without decision records. */
export function listPages(): readonly string[] {
  const inFolder = (folder: string) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name));
  return [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "sdk/README.md",
    "integrations/n8n/README.md",
    "integrations/node-red/README.md",
    "integrations/zapier/README.md",
    ...inFolder("docs"),
    ...inFolder("docs/reference"),
  ];
}

/** Every page whose links are checked: decision records too. */
export const listLinkingPages = (): readonly string[] => [
  ...listPages(),
  ...readdirSync(join(ROOT, "docs/decisions")).map((name) => join("docs/decisions", name)),
];

export const listProsePages = (): readonly string[] => listPages().filter((page) => !NOT_PROSE.includes(page));

export const readPage = (page: string): string => readFileSync(join(ROOT, page), "utf8");

/** A fenced block: its language, the words behind it, and its text. */
export type Fence = { readonly language: string; readonly marks: readonly string[]; readonly code: string; readonly line: number };

const FENCE = /^([ ]*)```([^\n`]*)\n([\s\S]*?)^\1```[ ]*$/gm;

/** The fenced blocks of a page, in order. */
export const listFences = (text: string): readonly Fence[] =>
  [...text.matchAll(FENCE)].map(({ index, 2: info = "", 3: code = "" }) => {
    const [language = "", ...marks] = info.trim().split(/\s+/);
    return { language, marks, code, line: text.slice(0, index).split("\n").length };
  });

/** The page without its fenced blocks and comments; line numbers are kept. */
export const withoutCode = (text: string): string =>
  text.replace(FENCE, (block) => block.replace(/[^\n]/g, "")).replace(/<!--[\s\S]*?-->/g, "");

/** The anchors of a page's headings, as GitHub makes them. */
export function listAnchors(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutCode(text).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Files and folders that a page names in code and that do not exist, except build output. */
export const listMissingPaths = (page: string): readonly string[] =>
  [...withoutCode(readPage(page)).matchAll(/`((?:src|test|web|bench|scripts|conformance|sdk|docs)\/[\w./-]*)`/g)]
    .map(([, path = ""]) => path)
    .filter((path) => !/\/dist(?:\/|$)/.test(path) && !existsSync(join(ROOT, path)));

/** The broken links of a page: missing files and headings. */
export function listBrokenLinks(page: string): readonly string[] {
  const text = withoutCode(readPage(page));
  return [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].flatMap(([, path = "", anchor]) => {
    const target = path === "" ? page : join(page, "..", path);
    if (!existsSync(join(ROOT, target))) return [`${page} links to ${path}, which does not exist`];
    if (anchor === undefined || !target.endsWith(".md") || listAnchors(readPage(target)).has(anchor)) return [];
    return [`${page} links to the heading #${anchor}, which ${target} does not have`];
  });
}
