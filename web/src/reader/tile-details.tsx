import type { Tile, TileProperties as Properties } from "@tessera-board/sdk";
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

/** The caller's own data of a tile. Programs write it. */
export function TileProperties({ properties }: { readonly properties: Properties }) {
  const entries = Object.entries(properties);
  if (entries.length === 0) return null;
  return (
    <section aria-label="Properties">
      <h3 className="mb-1 text-sm font-medium">Properties</h3>
      <dl className="grid grid-cols-[fit-content(35%)_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {entries.map(([key, value]) => (
          <div key={key} className="contents">
            <dt className="text-quiet wrap-anywhere">
              <bdi>{key}</bdi>
            </dt>
            <dd dir="auto" className="text-left wrap-anywhere">
              {Array.isArray(value) ? value.join(", ") : String(value)}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
