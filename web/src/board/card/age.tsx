import { useTimeText } from "../../ui/time/clock.ts";
import { ageOf } from "../model/words.ts";

/** How long ago a tile came, behind the other facts; it goes on without its card being drawn again. */
export function Age({ since }: { readonly since: string }) {
  const age = useTimeText((now) => ageOf(since, now) ?? "");
  if (age === "") return null;
  return (
    <>
      {" · "}
      <bdi>{age}</bdi>
    </>
  );
}
