import { useTimeText } from "./clock.ts";
import { formatRelativeTime } from "./format-time.ts";

/** A relative time that updates itself. */
export function RelativeTime({ at }: { readonly at: string }) {
  return useTimeText((now) => formatRelativeTime(at, now));
}
