import type { TileMetadata } from "#domain/content/tile.ts";
import { toIsoDate } from "../../clean/dates.ts";
import { normaliseDocumentTitle } from "../office/properties.ts";
import { omitEmpty, getString } from "../json-access.ts";

/** Converts a PDF date (ISO 32000-2, 7.9.4: `D:YYYYMMDDHHmmSSOHH'mm`) to ISO 8601. Returns null if it is invalid. */
export function parsePdfDate(written: string | null): string | null {
  const found = /^(?:D:)?(\d{4})(\d{2})?(\d{2})?(\d{2})?(\d{2})?(\d{2})?\s*(?:([+-])(\d{2})'?(\d{2})?|Z)?/.exec(written ?? "");
  if (found === null) return toIsoDate(written);
  const [, year, month = "01", day = "01", hour = "00", minute = "00", second = "00", sign, zoneHour = "00", zoneMinute = "00"] = found;
  const zone = sign === undefined ? "Z" : `${sign}${zoneHour}:${zoneMinute}`;
  return toIsoDate(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
}

/** Reads title, subject and keywords (`about`) and metadata from the information dictionary (ISO 32000-2, 14.3.3). */
export function readInfo(info: unknown): { readonly title: string | null; readonly about: string; readonly metadata: TileMetadata } {
  const about = [getString(info, "Subject"), getString(info, "Keywords")].filter((each) => each !== null).join("\n\n");
  return {
    title: normaliseDocumentTitle(getString(info, "Title")),
    about: about.slice(0, 10_000),
    metadata: omitEmpty({
      author: getString(info, "Author")?.slice(0, 500) ?? null,
      publishedAt: parsePdfDate(getString(info, "CreationDate")) ?? parsePdfDate(getString(info, "ModDate")),
      language: getString(info, "Language")?.slice(0, 35) ?? null,
    }),
  };
}
