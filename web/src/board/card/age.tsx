import { useTimeText } from "../../ui/time/clock.ts";
import { formatAge } from "../model/format.ts";

/** The age of a tile; updates without rendering the card again. */
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
