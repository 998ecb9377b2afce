import { expect, it } from "vitest";
import { CALENDAR_LANGUAGES, CALENDAR_WORDS } from "#ingest/clean/calendar/calendar.ts";
import { isDateLine } from "#ingest/clean/calendar/date-lines.ts";

const toUtcTime = (month: number, day: number): number => Date.UTC(2024, month, day);
const MONTHS = Array.from({ length: 12 }, (_, month) => toUtcTime(month, 1));
const WEEKDAYS = Array.from({ length: 7 }, (_, day) => toUtcTime(0, day + 1));

/** Dates as the platform formats them. */
function datesIn(language: string): string[] {
  return (["long", "short"] as const).flatMap((style) => [
    ...MONTHS.map((at) => new Intl.DateTimeFormat(language, { month: style, day: "numeric", timeZone: "UTC" }).format(at)),
    ...WEEKDAYS.map((at) => new Intl.DateTimeFormat(language, { weekday: style, timeZone: "UTC" }).format(at)),
  ]);
}

it.each(CALENDAR_LANGUAGES)("date lines are recognised by the months and days of the platform in %s", (language) => {
  const words = datesIn(language).flatMap((date) => date.toLowerCase().match(/\p{L}+/gu) ?? []);
  expect(words.length).toBeGreaterThan(20);
  expect(words.filter((word) => !CALENDAR_WORDS.has(word))).toEqual([]);
});

it.each([
  "Tuesday, 12 March 2024 at 10:15",
  "Zuletzt aktualisiert: 3. März 2021",
  "Publié le 14 juillet 2019 par Jeanne Morel",
  "5 min read",
])("%j is a date line", (line) => expect(isDateLine(line)).toBe(true));

it.each([
  "In 1874 the architect Ingrid Solberg designed the lighthouse after years of study.",
  "March winds and April showers bring forth May flowers",
  `12 March 2024 ${"x".repeat(160)}`,
])("%j is no date line", (line) => expect(isDateLine(line)).toBe(false));
