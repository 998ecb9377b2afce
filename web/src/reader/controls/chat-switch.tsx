import type { Tile } from "@tessera-board/sdk";
import { useId } from "react";
import { getErrorMessage } from "../../api/client/client.ts";
import type { TileHistory } from "../../api/tiles/tile-history.ts";
import { useUpdateTile } from "../../api/tiles/tiles.ts";
import { useZones } from "../../api/zones.ts";
import { Switch } from "../../ui/controls/switch.tsx";

/** Switches whether answers and generation may use a tile. */
export function ChatSwitch({ tile, history }: { readonly tile: Tile; readonly history: TileHistory }) {
  const { data: zones = [] } = useZones(tile.boardId);
  const update = useUpdateTile();
  const hintId = useId();
  const isOn = (update.isPending ? update.variables.patch.connectedToChat : tile.connectedToChat) !== false;
  const zone = zones.find(({ id }) => id === tile.zoneId);
  const change = (connectedToChat: boolean): void => {
    // Kept before it is saved, as the switch shows it. `isError` below reports errors.
    const saved = update.mutateAsync({ tileId: tile.id, patch: { connectedToChat } });
    history.keepEdit("connectedToChat", tile.connectedToChat, { ...tile, connectedToChat }, saved);
  };
  return (
    <div role="group" aria-describedby={hintId} className="flex flex-col gap-1 print:hidden">
      <Switch label="Use in answers" isOn={isOn} isDisabled={update.isPending} onChange={change} className="self-start" />
      <p id={hintId} className="text-sm text-quiet">
        {getHint(isOn, tile.metadata.origin, zone?.connectedToChat === false ? zone.name : null)}
      </p>
      {update.isError && (
        <p role="alert" className="text-sm text-danger">
          {getErrorMessage(update.error)}
        </p>
      )}
    </div>
  );
}

/** The effect of the switch for this tile. `silentZone` is the name of its zone if the zone is not connected to chat. */
export function getHint(isOn: boolean, origin: Tile["metadata"]["origin"], silentZone: string | null): string {
  if (isOn && silentZone !== null)
    return `Its zone “${silentZone}” is not connected to chat, so this tile is not used until the zone is connected.`;
  if (isOn) return "Answers and generated drafts may use and quote this tile.";
  if (origin === "answer")
    return "Saved answers are not used in new answers, so that an answer does not become its own source. Search still finds this tile.";
  if (origin === "generation")
    return "Generated texts are not used in answers, so that they do not become their own source. Search still finds this tile.";
  return "Answers and generated drafts do not use this tile. Search still finds it.";
}
