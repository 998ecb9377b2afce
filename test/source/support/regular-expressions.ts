import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

export type FoundExpression = { readonly file: string; readonly source: string; readonly flags: string };

/** The text between two equal quotes, without escapes, and the index after it. */
function skipQuoted(code: string, start: number): number {
  let at = start + 1;
  while (at < code.length && code[at] !== code[start]) at += code[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** The end of a regular expression that starts at `start`, or -1 if it is a division. */
function endOfExpression(code: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < code.length && code[at] !== "\n"; at++) {
    if (code[at] === "\\") at++;
    else if (code[at] === "[") inClass = true;
    else if (code[at] === "]") inClass = false;
    else if (code[at] === "/" && !inClass) return at;
  }
  return -1;
}

/** A slash starts an expression where an operand cannot end, and after `return`. */
const mayBegin = (before: string): boolean => !/[\w)\]"'`}]$/.test(before) || /\breturn$/.test(before);

/** The text of a template can look like a literal. */
function isExpression(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags).source !== "";
  } catch {
    return false;
  }
}

/** The regular expression literals of a file's code, without those in template texts. */
export function findExpressions(file: string, code: string): FoundExpression[] {
  const found: FoundExpression[] = [];
  let at = 0;
  while (at < code.length) {
    const two = code.slice(at, at + 2);
    if (two === "//") at = Math.max(at, code.indexOf("\n", at) < 0 ? code.length : code.indexOf("\n", at));
    else if (two === "/*") at = code.indexOf("*/", at) + 2;
    else if (code[at] === '"' || code[at] === "'" || code[at] === "`") at = skipQuoted(code, at);
    else if (code[at] === "/" && mayBegin(code.slice(Math.max(0, at - 20), at).trimEnd())) {
      const end = endOfExpression(code, at);
      if (end < 0) at++;
      else {
        const flags = /^[a-z]*/.exec(code.slice(end + 1, end + 10))?.[0] ?? "";
        const source = code.slice(at + 1, end);
        if (isExpression(source, flags)) found.push({ file, source, flags });
        at = end + 1 + flags.length;
      }
    } else at++;
  }
  return found;
}

/** All regular expression literals below some folders of the project, each once per file. */
export function expressionsUnder(root: string, folders: readonly string[]): FoundExpression[] {
  const files = folders.flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }));
  return files
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      return findExpressions(relative(root, path), readFileSync(path, "utf8"));
    });
}
