import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

type Term = { readonly pattern: RegExp; readonly old: string; readonly standard: string };

/** Files whose words are not ours or no longer changed: recorded data, documents of releases, the lock file, and the list itself. */
const SKIPPED =
  /(^|\/)(fixtures|results|images)\/|^releases\/|^package-lock\.json$|^scripts\/terms\/|\.(png|svg|ico|woff2|bin|gz|pdf|docx)$/;

/**
 * Reads `words.txt`: one term a line, the replaced term, a tab, and the standard one. Lines that start with `#` are comments.
 * A term of letters, digits and underscores matches a whole identifier; any other text matches as it stands.
 */
export function readTerms(text: string): Term[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [old, standard] = line.split("\t");
      if (old === undefined || standard === undefined || old === "" || standard === "")
        throw new Error(`words.txt: "${line}" is not "replaced term<TAB>standard term".`);
      return { pattern: new RegExp(`(?<![\\w$])${RegExp.escape(old)}(?![\\w$])`), old, standard };
    });
}

/** Replaced terms in one file, in its path too: one line each, "path:line: …". */
export function findIn(path: string, text: string, terms: readonly Term[]): string[] {
  const findings: string[] = [];
  const words = new Set(text.match(/[\w$]+/g));
  for (const { pattern, old, standard } of terms) {
    if (pattern.test(path)) findings.push(`${path}: the path says "${old}"; the standard term is "${standard}".`);
    // Few files contain any of the terms; a look-up is much faster than a search for each term.
    if (/^\w+$/.test(old) ? !words.has(old) : !text.includes(old)) continue;
    for (const [index, line] of text.split("\n").entries())
      if (pattern.test(line)) findings.push(`${path}:${index + 1}: says "${old}"; the standard term is "${standard}".`);
  }
  return findings;
}

/** Replaced terms in all files of the repository that git knows. */
export function findReplacedTerms(root: string): string[] {
  const terms = readTerms(readFileSync(join(root, "scripts/terms/words.txt"), "utf8"));
  const { stdout, status } = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  if (status !== 0) throw new Error("git ls-files failed; the terms can only be checked in a clone of the repository.");
  const paths = stdout
    .toString()
    .split("\0")
    .filter((path) => path !== "" && !SKIPPED.test(path));
  return paths.flatMap((path) => findIn(path, readIfThere(join(root, path)), terms));
}

/** A file that is deleted but still staged has no text. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
