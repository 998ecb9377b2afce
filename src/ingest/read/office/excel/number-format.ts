import { getAttribute, readXml, type Pieces } from "../../markup/xml.ts";

/** Whether numbers are dates, by the index of a cell's style. */
export type NumberStyles = { readonly isDate: (style: number) => boolean };

/** Whether a built-in format is a date format (ECMA-376, part 1, 18.8.30); includes those of East Asian languages. */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** Whether a format code contains date or time parts, outside of quotes, escapes and brackets. */
function isDateCode(code: string): boolean {
  const plain = code
    .slice(0, 500)
    .replace(/"[^"]*"/g, "")
    .replace(/\[(?!h|m|s)[^\]]*\]/gi, "")
    .replace(/[\\_*]./g, "");
  return /[ymdhs]/i.test(plain.split(";", 1)[0] ?? "") && !/general/i.test(plain);
}

/** Reads which styles of `xl/styles.xml` have a date format. */
export function readNumberStyles(part: Pieces | null): NumberStyles {
  const codes = new Map<number, string>();
  const formats: number[] = [];
  const state = { isInCellFormats: false };
  if (part !== null) {
    readXml(part, {
      open(name, attributes) {
        const id = Number(getAttribute(attributes, "numFmtId"));
        if (name === "cellXfs") state.isInCellFormats = true;
        else if (name === "numFmt") codes.set(id, getAttribute(attributes, "formatCode") ?? "");
        else if (name === "xf" && state.isInCellFormats) formats.push(id);
      },
      close(name) {
        if (name === "cellXfs") state.isInCellFormats = false;
      },
    });
  }
  const dates = formats.map((id) => (codes.has(id) ? isDateCode(codes.get(id) ?? "") : isBuiltInDate(id)));
  return { isDate: (style) => dates[style] ?? false };
}

const DAY_MS = 86_400_000;
/** Day 0 of the two date systems (ECMA-376, part 1, 18.17.4.1). The 1900 system includes 29 February 1900, which never existed. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const LAST_DAY = 2_958_466;

/** Converts a serial date to ISO 8601 without zone: a date, a time, or both. Returns null if it is out of range. */
export function serialToIso(serial: number, isDate1904: boolean): string | null {
  if (!Number.isFinite(serial) || serial < 0 || serial >= LAST_DAY) return null;
  const shift = !isDate1904 && serial < 60 ? 1 : 0;
  const time = (isDate1904 ? EPOCH_1904 : EPOCH_1900) + Math.round((serial + shift) * 86_400) * 1_000;
  const iso = new Date(time).toISOString();
  if (serial < 1) return iso.slice(11, 19);
  return time % DAY_MS === 0 ? iso.slice(0, 10) : iso.slice(0, 19);
}

/** Rounds a number to 15 digits, which removes binary rounding errors. Other text is returned unchanged. */
export function roundNumber(written: string): string {
  const number = Number(written);
  return written.trim() === "" || !Number.isFinite(number) ? written : String(Number(number.toPrecision(15)));
}
