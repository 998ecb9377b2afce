import { getAttribute, readXml } from "../../markup/xml.ts";

/** How the numbers of a cell are meant, by the number of its style. */
export type NumberStyles = { readonly isDate: (style: number) => boolean };

/** The formats that every workbook has (ECMA-376, part 1, 18.8.30), those of East Asian languages included. */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** Whether a format's code writes a date or a time, once what it quotes, escapes or puts in brackets is left out. */
function isDateCode(code: string): boolean {
  const plain = code
    .slice(0, 500)
    .replace(/"[^"]*"/g, "")
    .replace(/\[(?!h|m|s)[^\]]*\]/gi, "")
    .replace(/[\\_*]./g, "");
  return /[ymdhs]/i.test(plain.split(";", 1)[0] ?? "") && !/general/i.test(plain);
}

/** Reads which styles of `xl/styles.xml` are dates. */
export function readNumberStyles(bytes: Uint8Array | null): NumberStyles {
  const codes = new Map<number, string>();
  const formats: number[] = [];
  const here = { inCells: false };
  if (bytes !== null) {
    readXml(bytes, {
      open(name, attributes) {
        const id = Number(getAttribute(attributes, "numFmtId"));
        if (name === "cellXfs") here.inCells = true;
        else if (name === "numFmt") codes.set(id, getAttribute(attributes, "formatCode") ?? "");
        else if (name === "xf" && here.inCells) formats.push(id);
      },
      close(name) {
        if (name === "cellXfs") here.inCells = false;
      },
    });
  }
  const dates = formats.map((id) => (codes.has(id) ? isDateCode(codes.get(id) ?? "") : isBuiltInDate(id)));
  return { isDate: (style) => dates[style] ?? false };
}

const DAY_MS = 86_400_000;
/** Day 0 of the two ways of counting (ECMA-376, part 1, 18.17.4.1); 1900 counts a 29 February that never was. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const LAST_DAY = 2_958_466;

/** A date's number as ISO 8601 without a zone: the day, the time of day, or both; null where it is no date. */
export function isoOfSerial(serial: number, counts1904: boolean): string | null {
  if (!Number.isFinite(serial) || serial < 0 || serial >= LAST_DAY) return null;
  const shift = !counts1904 && serial < 60 ? 1 : 0;
  const time = (counts1904 ? EPOCH_1904 : EPOCH_1900) + Math.round((serial + shift) * 86_400) * 1_000;
  const iso = new Date(time).toISOString();
  if (serial < 1) return iso.slice(11, 19);
  return time % DAY_MS === 0 ? iso.slice(0, 10) : iso.slice(0, 19);
}

/** A number without the noise of binary fractions; anything else as it is. */
export function tidyNumber(written: string): string {
  const number = Number(written);
  return written.trim() === "" || !Number.isFinite(number) ? written : String(Number(number.toPrecision(15)));
}
