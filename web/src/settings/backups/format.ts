import type { Backup } from "@tessera-board/sdk";
import { formatCount } from "../../text/plural.ts";

const UNITS = ["kB", "MB", "GB", "TB"] as const;

/** Formats a size in decimal units: `812 bytes`, `4.1 MB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return formatCount(bytes, "byte");
  let size = bytes;
  let unit = -1;
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit++;
  }
  return `${size.toFixed(size < 9.95 ? 1 : 0)} ${UNITS[unit]}`;
}

const clock = (hour: number, minute = 0): string => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;

/** Formats an hour of the day in UTC, with the local time if it differs on the day of `now`. */
export function formatHour(hour: number, now: number = Date.now()): string {
  const time = new Date(now);
  time.setUTCHours(hour, 0, 0, 0);
  const here = clock(time.getHours(), time.getMinutes());
  return here === clock(hour) && time.getTimezoneOffset() === 0 ? `${clock(hour)} UTC` : `${clock(hour)} UTC (${here} here)`;
}

/** Parses the number of backups to keep; NaN if it is not an integer from 1 to 60. */
export function parseKeepCount(text: string): number {
  const number = /^\d{1,2}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN;
  return number >= 1 && number <= 60 ? number : Number.NaN;
}

/** Formats the duration of a backup; null if unknown. */
export function formatBackupDuration({ startedAt, endedAt }: Pick<Backup, "startedAt" | "endedAt">): string | null {
  if (endedAt === null) return null;
  const seconds = Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1_000);
  if (seconds < 1) return "under a second";
  if (seconds < 120) return formatCount(seconds, "second");
  return formatCount(Math.round(seconds / 60), "minute");
}
