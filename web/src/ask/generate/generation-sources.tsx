import type { Generation } from "@tessera-board/sdk";
import { useTiles } from "../../api/tiles/tiles.ts";
import { useZones } from "../../api/zones.ts";
import type { OpenTile } from "../../text/quote.ts";

/** The zones and tiles that a generation was restricted to; nothing if it used the whole board. */
export function GenerationSources({ generation, onOpenTile }: { readonly generation: Generation; readonly onOpenTile: OpenTile }) {
  const { boardId, zoneIds = [], tileIds = [] } = generation;
  const { data: zones = [] } = useZones(boardId);
  const { data: tiles = [] } = useTiles(boardId);
  if (zoneIds.length + tileIds.length === 0) return null;
  const zonesById = new Map(zones.map((zone) => [zone.id, zone]));
  const titlesById = new Map(tiles.map(({ id, title }) => [id, title]));
  return (
    <section aria-label="Generated from" className="text-sm">
      <h3 className="inline font-medium text-quiet">Generated from</h3>{" "}
      <ul className="inline">
        {zoneIds.map((id, index) => (
          <li key={id} className="inline wrap-anywhere">
            {zonesById.has(id) ? <bdi>{`${zonesById.get(id)?.emoji ?? ""} ${zonesById.get(id)?.name}`.trim()}</bdi> : "deleted zone"}
            {index < zoneIds.length + tileIds.length - 1 && ", "}
          </li>
        ))}
        {tileIds.map((id, index) => (
          <li key={id} className="inline wrap-anywhere">
            {titlesById.has(id) ? (
              <button type="button" className="text-left underline underline-offset-2 hover:text-accent" onClick={() => onOpenTile(id)}>
                <bdi>{titlesById.get(id)}</bdi>
              </button>
            ) : (
              "deleted tile"
            )}
            {index < tileIds.length - 1 && ", "}
          </li>
        ))}
      </ul>
    </section>
  );
}
