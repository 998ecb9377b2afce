import { useTimeText } from "./clock.ts";
import { agoOf } from "./times.ts";

/** How long ago something was, or in how long it will be, as words that go on by themselves. */
export function Ago({ at }: { readonly at: string }) {
  return useTimeText((now) => agoOf(at, now));
}
