const cellOf = (cell: string): string => cell.replace(/\s+/g, " ").trim().replaceAll("|", "\\|");

/**
 * Rows as a table in Markdown (GitHub Flavored Markdown 4.10), its first row the head; rows and columns that hold nothing are left out
 * at the end. A single column is written as lines.
 */
export function toMarkdownTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.map((row) => row.map(cellOf)).filter((row) => row.some((cell) => cell !== ""));
  const width = filled.reduce((most, row) => Math.max(most, row.findLastIndex((cell) => cell !== "") + 1), 0);
  if (width < 2) return filled.map((row) => row[0] ?? "").join("\n");
  const lines = filled.map((row) => `| ${Array.from({ length: width }, (_, place) => row[place] ?? "").join(" | ")} |`);
  return [lines[0], `|${" --- |".repeat(width)}`, ...lines.slice(1)].join("\n");
}
