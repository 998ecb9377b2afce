import type { Tile } from "@tessera-board/sdk";
import { useMemo } from "react";
import { ExternalLink } from "../text/external-link.tsx";
import { RelativeTime } from "../ui/time/relative-time.tsx";
import { getDetails } from "./details.ts";

/** The metadata of a tile as a list of names and values. */
export function TileDetails({ tile }: { readonly tile: Tile }) {
  const details = useMemo(() => getDetails(tile), [tile]);
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      {details.map(({ name, value, address, at }) => (
        <div key={name} className="contents">
          <dt className="text-quiet">{name}</dt>
          <dd dir="auto" className="wrap-anywhere text-left">
            {at !== undefined ? (
              <RelativeTime at={at} />
            ) : address === undefined ? (
              value
            ) : (
              <ExternalLink href={address}>{value}</ExternalLink>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
