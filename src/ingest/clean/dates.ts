const ISO = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;
const FIRST_YEAR = 1800;
const LAST_YEAR = 2200;

function checked(time: number): string | null {
  if (!Number.isFinite(time)) return null;
  const date = new Date(time);
  const year = date.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR ? date.toISOString() : null;
}

/**
 * A date as pages write it (ISO 8601, RFC 2822, "May 1, 2024", a Unix time) as ISO 8601 UTC with milliseconds; null
 * when it is none. A date without a zone is taken as UTC, so that the answer does not depend on the machine.
 */
export function toIsoDate(written: string | null | undefined): string | null {
  const text = (written ?? "").trim().slice(0, 64);
  if (/^\d{10}$/.test(text)) return checked(Number(text) * 1000);
  if (/^\d{13}$/.test(text)) return checked(Number(text));
  const iso = ISO.exec(text);
  if (iso) {
    const [, year, month, day = "01", hour = "00", minute = "00", second = "00", zone = "Z"] = iso;
    const calendar = new Date(`${year}-${month}-${day}T00:00:00Z`);
    // Date rolls 31 February over into March; a date that moves is no date.
    if (Number.isNaN(calendar.getTime()) || calendar.getUTCDate() !== Number(day)) return null;
    const offset = zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, "$1:$2");
    return checked(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`));
  }
  if (!/\d{4}/.test(text) || !/[A-Za-z]{3}/.test(text)) return null;
  const zoned = /(?:Z|GMT|UTC|[+-]\d{2}:?\d{2})\)?$/i.test(text);
  return checked(Date.parse(zoned ? text : `${text.replace(/(\d)(?:st|nd|rd|th)\b/g, "$1")} UTC`));
}
