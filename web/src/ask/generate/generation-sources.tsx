import type { Generation } from "@tessera/sdk";
import { useTiles } from "../../api/tiles/tiles.ts";
import { useZones } from "../../api/zones.ts";
import type { OpenTile } from "../../text/quote.ts";

/** The zones and tiles that a generation was restricted to; nothing if it used the whole board. */
export function GenerationSources({ generation, onOpenTile }: { readonly generation: Generation; readonly onOpenTile: OpenTile }) {
  const { boardId, zoneIds = [], tileIds = [] } = generation;
  const { data: zones = [] } = useZones(boardId);
  const { data: tiles = [] } = useTiles(boardId);
  if (zoneIds.length + tileIds.length === 0) return null;
  const zoneOf = new Map(zones.map((zone) => [zone.id, zone]));
  const titleOf = new Map(tiles.map(({ id, title }) => [id, title]));
  return (
    <section aria-label="Generated from" className="text-sm">
      <h3 className="inline font-medium text-quiet">Generated from</h3>{" "}
      <ul className="inline">
        {zoneIds.map((id, index) => (
          <li key={id} className="inline wrap-anywhere">
            {zoneOf.has(id) ? <bdi>{`${zoneOf.get(id)?.emoji ?? ""} ${zoneOf.get(id)?.name}`.trim()}</bdi> : "a deleted zone"}
            {index < zoneIds.length + tileIds.length - 1 && ", "}
          </li>
        ))}
        {tileIds.map((id, index) => (
          <li key={id} className="inline wrap-anywhere">
            {titleOf.has(id) ? (
              <button type="button" className="text-left underline underline-offset-2 hover:text-accent" onClick={() => onOpenTile(id)}>
                <bdi>{titleOf.get(id)}</bdi>
              </button>
            ) : (
              "a deleted tile"
            )}
            {index < tileIds.length - 1 && ", "}
          </li>
        ))}
      </ul>
    </section>
  );
}
