const ISO = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;
const FIRST_YEAR = 1800;
const LAST_YEAR = 2200;

function formatIfPlausible(time: number): string | null {
  if (!Number.isFinite(time)) return null;
  const date = new Date(time);
  const year = date.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR ? date.toISOString() : null;
}

/**
 * Converts a date as found on pages (ISO 8601, RFC 2822, "May 1, 2024", Unix time) to ISO 8601 UTC with milliseconds. Returns null if it
 * is invalid. A date without zone is interpreted as UTC, so that the result does not depend on the machine.
 */
export function toIsoDate(written: string | null | undefined): string | null {
  const text = (written ?? "").trim().slice(0, 64);
  if (/^\d{10}$/.test(text)) return formatIfPlausible(Number(text) * 1000);
  if (/^\d{13}$/.test(text)) return formatIfPlausible(Number(text));
  const iso = ISO.exec(text);
  if (iso) {
    const [, year, month, day = "01", hour = "00", minute = "00", second = "00", zone = "Z"] = iso;
    const calendar = new Date(`${year}-${month}-${day}T00:00:00Z`);
    // `Date` turns 31 February into a day in March; such dates are invalid.
    if (Number.isNaN(calendar.getTime()) || calendar.getUTCDate() !== Number(day)) return null;
    const offset = zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, "$1:$2");
    return formatIfPlausible(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`));
  }
  if (!/\d{4}/.test(text) || !/[A-Za-z]{3}/.test(text)) return null;
  const zoned = /(?:Z|GMT|UTC|[+-]\d{2}:?\d{2})\)?$/i.test(text);
  return formatIfPlausible(Date.parse(zoned ? text : `${text.replace(/(\d)(?:st|nd|rd|th)\b/g, "$1")} UTC`));
}
