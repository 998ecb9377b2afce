import { useTimeText } from "./clock.ts";
import { formatRelativeTime } from "./format-time.ts";

/** How long ago something was, or in how long it will be, as words that go on by themselves. */
export function RelativeTime({ at }: { readonly at: string }) {
  return useTimeText((now) => formatRelativeTime(at, now));
}
