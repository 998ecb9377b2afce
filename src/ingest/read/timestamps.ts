/** Formats seconds as `1:02:03` or `2:03`. Fractions are dropped; a negative number counts as 0. */
export function formatTimestamp(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${padTwo(minutes)}:${padTwo(rest)}` : `${minutes}:${padTwo(rest)}`;
}

const padTwo = (part: number): string => String(part).padStart(2, "0");
