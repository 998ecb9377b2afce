import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join, relative } from "node:path";

/** Comments that are lines of their own, imports of types, and types of one line or whose first line ends with a brace. */
const NOT_COMPILED =
  /\/\*\*.*?\*\/|^ *\/\/[^\n]*$|^import type [^;]*;$|^(?:export )?type [^\n]*;$|^(?:export )?(?:interface|type) [^\n]*\{\n.*?^\}[^\n]*$/gms;

type Payload = ConstructorParameters<typeof SourceMap>[0];

/**
 * Makes the source maps of compiled modules small, which were half of the package: they lead from each line to its line, not from each word,
 * and hold of the sources what is compiled; the lines keep their numbers. Replaces the path of the sources, which would be that of this machine.
 */
export function shrinkSourceMaps(dist: string): void {
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js.map"))) {
    const path = join(dist, file);
    const map = JSON.parse(readFileSync(path, "utf8")) as Payload;
    map.sources = [relative(dirname(path), join(dist, "../src", file.replace(/\.js\.map$/, ".ts")))];
    map.sourcesContent = map.sourcesContent.map((source) => source.replaceAll(NOT_COMPILED, (text) => text.replaceAll(/[^\n]+/g, "")));
    map.mappings = mapLines(readFileSync(path.replace(/\.map$/, ""), "utf8").split("\n"), new SourceMap(map));
    writeFileSync(path, JSON.stringify(map));
  }
}

/** Encodes the place in the source where each line of the code begins, as the difference to that of the line before. */
function mapLines(lines: readonly string[], map: SourceMap): string {
  let last = { line: 0, column: 0 };
  const mapped = lines.map((code, index) => {
    const entry = map.findEntry(index, code.search(/\S|$/));
    if (!("originalLine" in entry) || entry.generatedLine !== index) return "";
    const { originalLine: line, originalColumn: column } = entry;
    const segment = [entry.generatedColumn, 0, line - last.line, column - last.column].map(encodeNumber).join("");
    last = { line, column };
    return segment;
  });
  return mapped.join(";");
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Encodes a number as source maps do (VLQ): the sign in the lowest bit, then five bits in each digit, the lowest first. */
function encodeNumber(value: number): string {
  let rest = value < 0 ? 2 * -value + 1 : 2 * value;
  let digits = "";
  do {
    const bits = rest % 32;
    rest = Math.floor(rest / 32);
    digits += DIGITS[rest > 0 ? bits + 32 : bits];
  } while (rest > 0);
  return digits;
}
