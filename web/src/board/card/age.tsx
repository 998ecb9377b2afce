import { useTimeText } from "../../ui/time/clock.ts";
import { formatAge } from "../model/format.ts";

/** How long ago a tile came, behind the other facts; it goes on without its card being drawn again. */
export function Age({ since }: { readonly since: string }) {
  const age = useTimeText((now) => formatAge(since, now) ?? "");
  if (age === "") return null;
  return (
    <>
      {" · "}
      <bdi>{age}</bdi>
    </>
  );
}
