import { afterEach, expect, it, vi } from "vitest";
import { formatHour, parseKeepCount, formatBytes, formatBackupDuration } from "../../../web/src/settings/backups/format.ts";

afterEach(() => vi.unstubAllEnvs());

it.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1_000, "1.0 kB"],
  [9_949, "9.9 kB"],
  [9_950, "10 kB"],
  [999_499, "999 kB"],
  [999_500, "1.0 MB"],
  [1_234_567_890, "1.2 GB"],
  [5e15, "5000 TB"],
])("a backup of %i bytes has the size %s", (bytes, words) => expect(formatBytes(bytes)).toBe(words));

it.each([
  ["Etc/UTC", "03:00 UTC"],
  ["Europe/Berlin", "03:00 UTC (04:00 here)"],
  ["Asia/Kolkata", "03:00 UTC (08:30 here)"],
  ["America/New_York", "03:00 UTC (22:00 here)"],
])("a backup at three is described in %s as %s", (zone, words) => {
  vi.stubEnv("TZ", zone);
  expect(formatHour(3, Date.UTC(2026, 0, 15))).toBe(words);
});

it.each([
  ["1", 1],
  [" 14 ", 14],
  ["60", 60],
  ["0", Number.NaN],
  ["61", Number.NaN],
  ["-3", Number.NaN],
  ["1.5", Number.NaN],
  ["1e1", Number.NaN],
  ["", Number.NaN],
  ["many", Number.NaN],
])("the number of backups to keep %j is parsed as %j", (text, number) => expect(parseKeepCount(text)).toBe(number));

it("backups have a formatted duration", () => {
  const took = (seconds: number | null) =>
    formatBackupDuration({
      startedAt: new Date(0).toISOString(),
      endedAt: seconds === null ? null : new Date(seconds * 1_000).toISOString(),
    });
  expect([null, 0.2, 1, 90, 125].map(took)).toEqual([null, "under a second", "1 second", "90 seconds", "2 minutes"]);
});
