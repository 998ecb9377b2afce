import type { Tile } from "@tessera/sdk";
import { useMemo } from "react";
import { OutLink } from "../text/out-link.tsx";
import { Ago } from "../ui/time/ago.tsx";
import { factsOf } from "./facts.ts";

/** What is known of a tile, as a list of names and values. */
export function TileFacts({ tile }: { readonly tile: Tile }) {
  const facts = useMemo(() => factsOf(tile), [tile]);
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      {facts.map(({ name, value, address, at }) => (
        <div key={name} className="contents">
          <dt className="text-quiet">{name}</dt>
          <dd dir="auto" className="wrap-anywhere text-left">
            {at !== undefined ? <Ago at={at} /> : address === undefined ? value : <OutLink href={address}>{value}</OutLink>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
