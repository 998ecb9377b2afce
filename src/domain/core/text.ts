/** Whether the text has more than `max` Unicode code points. Only texts of up to `2 * max` code units are counted. */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > max * 2) return true;
  let count = 0;
  for (const _ of text) if (++count > max) return true;
  return false;
}
