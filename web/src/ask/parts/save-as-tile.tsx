import type { TileOrigin } from "@tessera-board/sdk";
import { useCreateTile } from "../../api/tiles/tiles.ts";
import { useZones } from "../../api/zones.ts";
import { Button } from "../../ui/controls/button.tsx";
import { PlusIcon } from "../../ui/icons/icons.ts";
import { Menu, MenuItem, MenuLabel } from "../../ui/floating/menu.tsx";
import { showToast } from "../../ui/toasts.ts";
import type { OpenTile } from "../../text/quote.ts";

export type SaveAsTileProps = {
  readonly boardId: string;
  readonly title: string;
  readonly content: string;
  /** Recorded as the tile's origin. */
  readonly origin: TileOrigin;
  readonly onOpenTile: OpenTile;
};

/** Maximum characters of a title; a longer question appears in full only in the text. */
const MAX_TITLE_LENGTH = 200;

/** Saves a text as a tile in a chosen zone. It is not used in answers until “Use in answers” is turned on in the tile. */
export function SaveAsTile({ boardId, title, content, origin, onOpenTile }: SaveAsTileProps) {
  const { data: zones = [] } = useZones(boardId);
  const create = useCreateTile(boardId);
  const points = [...title.replace(/\s+/g, " ").trim()];
  const short = points.length > MAX_TITLE_LENGTH ? `${points.slice(0, MAX_TITLE_LENGTH - 1).join("")}…` : points.join("");

  const save = (zoneId: string | null): void =>
    create.mutate(
      { content, title: short, zoneId, origin },
      {
        onSuccess: ({ id }) =>
          showToast({
            text: "Saved as a tile. To use it in answers, turn on “Use in answers” in the tile.",
            kind: "good",
            action: { label: "Open", onPress: () => onOpenTile(id) },
          }),
      },
    );
  const trigger = (
    <Button size="sm" isBusy={create.isPending}>
      <PlusIcon /> Save as tile
    </Button>
  );
  return (
    <Menu trigger={trigger} align="start">
      <MenuLabel>Save in</MenuLabel>
      {zones.map(({ id, name, emoji }) => (
        <MenuItem key={id} onSelect={() => save(id)}>
          {emoji} {name}
        </MenuItem>
      ))}
      <MenuItem onSelect={() => save(null)}>No zone</MenuItem>
    </Menu>
  );
}
