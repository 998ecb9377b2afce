const escapeCell = (cell: string): string => cell.replace(/\s+/g, " ").trim().replaceAll("|", "\\|");

/**
 * Formats rows as a Markdown table (GitHub Flavored Markdown 4.10); the first row becomes the header. Empty rows and trailing empty
 * columns are left out. A single column is written as lines.
 */
export function toMarkdownTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.map((row) => row.map(escapeCell)).filter((row) => row.some((cell) => cell !== ""));
  const width = filled.reduce((max, row) => Math.max(max, row.findLastIndex((cell) => cell !== "") + 1), 0);
  if (width < 2) return filled.map((row) => row[0] ?? "").join("\n");
  const lines = filled.map((row) => `| ${Array.from({ length: width }, (_, column) => row[column] ?? "").join(" | ")} |`);
  return [lines[0], `|${" --- |".repeat(width)}`, ...lines.slice(1)].join("\n");
}
