import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Colour, type Shape, writePdf } from "./pdf.ts";

/** The file that the page sends when a sample board is created. */
export const REPORT_FILE = fileURLToPath(new URL("../../web/src/sample/files/annual-report.pdf", import.meta.url));

const TEAL: Colour = [0.06, 0.42, 0.4];
const LINE: Colour = [0.8, 0.83, 0.83];
const QUIET: Colour = [0.36, 0.4, 0.42];
const LEFT = 64;
const LINE_HEIGHT = 17;

/** Evening visitors of 2025 by month. */
const MONTHS = [
  ["March", 214],
  ["April", 268],
  ["May", 301],
  ["June", 287],
  ["July", 342],
  ["August", 455],
  ["September", 388],
  ["October", 246],
] as const;

const MONEY = [
  ["Tickets", "17,940", "Building and repairs", "9,800"],
  ["Memberships", "6,360", "Fund for the next coating", "6,000"],
  ["Donations", "3,150", "School programme", "2,310"],
  ["", "", "Insurance", "1,980"],
  ["", "", "Electricity", "1,420"],
  ["", "", "Other", "1,640"],
  ["Total", "27,450", "Total", "23,150"],
] as const;

/** `npm run sample`: writes the PDF of the sample board. */
export function run(): void {
  writeFileSync(REPORT_FILE, renderReport());
}

/** The annual report of the sample board's observatory: two pages with a chart and two tables. */
export const renderReport = (): Buffer =>
  writePdf([renderVisitors(), renderMoney()], { title: "Annual report 2025", author: "Fernhill Society", date: "20260131" });

function renderVisitors(): Shape[] {
  const largest = Math.max(...MONTHS.map(([, visitors]) => visitors));
  return [
    { width: 467, height: 4, x: LEFT, y: 778, colour: TEAL },
    { text: "Annual report 2025", x: LEFT, y: 738, size: 26, bold: true },
    { text: "Fernhill Observatory, Fernhill Society", x: LEFT, y: 716, colour: QUIET },
    { text: "Visitors", x: LEFT, y: 672, size: 16, bold: true },
    ...paragraph(646, [
      "The observatory welcomed 3,024 visitors in 2025, which is 11 per cent more than in 2024.",
      "Of these, 2,501 came to the evenings and 523 to the solar mornings. August was the strongest",
      "month with 455 visitors, because the shooting stars fell on a weekend without clouds. One in",
      "four had been here before, and one in nine came by bicycle.",
    ]),
    ...paragraph(568, [
      "We opened on 70 evenings. On 43 of them the sky was clear, on 27 the guides showed the",
      "workshop instead. Nineteen school classes came, most of them in June, and 31 volunteers gave",
      "2,180 hours between the first snow and the last.",
    ]),
    { text: "Evening visitors by month", x: LEFT, y: 500, size: 13, bold: true },
    ...MONTHS.flatMap(([month, visitors], index): Shape[] => {
      const y = 472 - index * 24;
      return [
        { text: month, x: LEFT, y, size: 10 },
        { width: Math.round((300 * visitors) / largest), height: 13, x: 140, y: y - 3, colour: TEAL },
        { text: String(visitors), x: 148 + Math.round((300 * visitors) / largest), y, size: 10 },
      ];
    }),
    footer(1),
  ];
}

function renderMoney(): Shape[] {
  return [
    { text: "Money", x: LEFT, y: 762, size: 16, bold: true },
    ...paragraph(736, [
      "Income was 27,450 euros and expenses were 23,150 euros, which leaves a surplus of 4,300 euros.",
      "The main mirror needs a new coating in 2028. It costs 14,000 euros, of which 9,500 are saved.",
    ]),
    { text: "Income and expenses in euros", x: LEFT, y: 682, size: 13, bold: true },
    ...MONEY.flatMap((row, index): Shape[] => {
      const y = 654 - index * 24;
      const isTotal = index === MONEY.length - 1;
      const [income, received, expense, spent] = row;
      const cells: Shape[] = [
        { text: income, x: LEFT, y, size: 10, bold: isTotal },
        { text: received, x: 190, y, size: 10, bold: isTotal },
        { text: expense, x: 290, y, size: 10, bold: isTotal },
        { text: spent, x: 470, y, size: 10, bold: isTotal },
      ];
      return [...cells.filter((cell) => !("text" in cell) || cell.text !== ""), rule(y - 8)];
    }),
    { text: "Plans for 2026", x: LEFT, y: 440, size: 16, bold: true },
    ...paragraph(414, [
      "We want to welcome 3,300 visitors, train eight new guides, and repair the rail of the slit,",
      "which was last replaced in 1996. The terrace gets a second screen, so that visitors who",
      "cannot climb the steps to the eyepiece see the same picture.",
    ]),
    footer(2),
  ];
}

const paragraph = (top: number, lines: readonly string[]): Shape[] =>
  lines.map((text, index) => ({ text, x: LEFT, y: top - index * LINE_HEIGHT }));

const rule = (y: number): Shape => ({ width: 467, height: 0.6, x: LEFT, y, colour: LINE });

const footer = (page: number): Shape => ({ text: `Fernhill Society, page ${page} of 2`, x: LEFT, y: 48, size: 9, colour: QUIET });
