/** Returns a number of bytes for a person, such as "16 MiB". It is exact. */
export function formatBytes(bytes: number): string {
  for (const [unit, size] of [
    ["MiB", 1_048_576],
    ["KiB", 1_024],
  ] as const)
    if (bytes >= size && bytes % size === 0) return `${bytes / size} ${unit}`;
  return `${bytes.toLocaleString("en")} bytes`;
}

/** Whether the text has more than `max` Unicode code points. Only texts of up to `2 * max` code units are counted. */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > max * 2) return true;
  let count = 0;
  for (const _ of text) if (++count > max) return true;
  return false;
}
