import { formatDecimal } from "./numbers.ts";
import { type Figure, type Report, type Section, getStatus } from "./report.ts";

const DIGITS = { ratio: 2, share: 3, times: 2, ms: 2, s: 2, MB: 0, "per second": 0 } as const;

function formatValue(value: number, unit: Figure["unit"]): string {
  const number = formatDecimal(value, DIGITS[unit]);
  if (unit === "times") return `× ${number}`;
  return unit === "ratio" || unit === "share" ? number : `${number} ${unit}`;
}

function formatTarget({ min, max, unit }: Figure): string {
  if (min !== undefined) return `≥ ${formatValue(min, unit)}`;
  return max === undefined ? "" : `≤ ${formatValue(max, unit)}`;
}

/** The figures with their targets, as a section like the others. */
const buildFiguresSection = (figures: readonly Figure[]): Section => ({
  title: "Figures and targets",
  columns: ["figure", "measured", "target", "status", "detail: median (min–max)"],
  rows: figures.map((figure) => [
    figure.name,
    formatValue(figure.value, figure.unit),
    formatTarget(figure),
    getStatus(figure),
    figure.detail,
  ]),
});

const listSections = ({ figures, sections }: Report): Section[] => [
  ...(figures.length === 0 ? [] : [buildFiguresSection(figures)]),
  ...sections,
];

/** The figures alone, without their spread. */
export function renderFigureTable({ figures }: Report): string {
  const rows = figures.map(
    (figure) => `| ${figure.name} | ${formatValue(figure.value, figure.unit)} | ${formatTarget(figure)} | ${getStatus(figure)} |`,
  );
  return ["| figure | measured | target | status |", "|---|---|---|---|", ...rows].join("\n");
}

export function formatMarkdown(report: Report): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return listSections(report)
    .map(({ title, note, columns, rows }) =>
      [
        `## ${title}`,
        "",
        ...(note === undefined ? [] : [note, ""]),
        row(columns),
        row(columns.map(() => "---")),
        ...rows.map(row),
        "",
      ].join("\n"),
    )
    .join("\n");
}

/** For a terminal: columns aligned with spaces. */
export function formatSection({ title, note, columns, rows }: Section): string {
  const widths = columns.map((column, i) => Math.max(column.length, ...rows.map((cells) => cells[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  return [
    title,
    ...(note === undefined ? [] : [note]),
    line(columns),
    line(widths.map((width) => "-".repeat(width))),
    ...rows.map(line),
    "",
  ].join("\n");
}

/** A whole report for a terminal. */
export const formatText = (report: Report): string => listSections(report).map(formatSection).join("\n");
