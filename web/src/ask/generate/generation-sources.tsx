import type { Generation } from "@tessera-board/sdk";
import { useZones } from "../../api/zones.ts";
import { useTileTitle } from "../parts/tile-title.tsx";
import type { OpenTile } from "../../text/quote.ts";

/** The zones and tiles that a generation was restricted to; nothing if it used the whole board. */
export function GenerationSources({ generation, onOpenTile }: { readonly generation: Generation; readonly onOpenTile: OpenTile }) {
  const { boardId, zoneIds = [], tileIds = [] } = generation;
  const { data: zones = [] } = useZones(boardId);
  if (zoneIds.length + tileIds.length === 0) return null;
  const zonesById = new Map(zones.map((zone) => [zone.id, zone]));
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
            <SourceTile boardId={boardId} tileId={id} onOpenTile={onOpenTile} />
            {index < tileIds.length - 1 && ", "}
          </li>
        ))}
      </ul>
    </section>
  );
}

type SourceTileProps = { readonly boardId: string; readonly tileId: string; readonly onOpenTile: OpenTile };

function SourceTile({ boardId, tileId, onOpenTile }: SourceTileProps) {
  const title = useTileTitle(boardId, tileId);
  if (title === null) return "deleted tile";
  return (
    <button type="button" className="text-left underline underline-offset-2 hover:text-accent" onClick={() => onOpenTile(tileId)}>
      <bdi>{title}</bdi>
    </button>
  );
}
