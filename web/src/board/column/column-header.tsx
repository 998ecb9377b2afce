import { useState } from "react";
import { cn } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { MoreIcon } from "../../ui/icons/icons.ts";
import { Switch } from "../../ui/controls/switch.tsx";
import type { BoardColumn } from "../model/tile.ts";
import { useZoneContext } from "../zone-context.ts";
import { ZoneName } from "./zone-name.tsx";
import { pluralize } from "../../text/plural.ts";

type ColumnHeaderProps = {
  readonly column: BoardColumn;
  readonly isFiltered: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
};

/** The name of a column, its number of tiles, the chat switch and its menu. */
export function ColumnHeader({ column, isFiltered, isFirst, isLast }: ColumnHeaderProps) {
  const [isRenaming, setRenaming] = useState(false);
  const { actions, open } = useZoneContext();
  const { zone, tiles, total } = column;
  const all = total?.toLocaleString("en") ?? "…";
  const count = isFiltered ? `${tiles.length.toLocaleString("en")} of ${all}` : all;

  return (
    <header className="px-3 pt-2 pb-1.5">
      <div className="flex min-h-8 items-center gap-2">
        {zone?.emoji && <span aria-hidden="true">{zone.emoji}</span>}
        {zone === null ? (
          <h2 data-heading tabIndex={-1} className="min-w-0 flex-1 truncate font-semibold text-quiet">
            {column.name}
          </h2>
        ) : (
          <ZoneName zone={zone} isRenaming={isRenaming} onRename={setRenaming} />
        )}
        <span className={cn("shrink-0 text-sm text-quiet tabular-nums", isRenaming && "hidden")}>
          {count}
          <span className="sr-only"> {pluralize(total ?? 0, "tile")}</span>
        </span>
        {zone !== null && (
          <IconButton
            label={`Actions for zone ${zone.name}`}
            hasTooltip={false}
            size="sm"
            className="-mr-1"
            aria-haspopup="menu"
            onClick={({ currentTarget: button }) =>
              open({ kind: "zone-menu", column, zone, button, isFirst, isLast, onRename: () => setRenaming(true) })
            }
          >
            <MoreIcon />
          </IconButton>
        )}
      </div>
      {zone === null ? (
        <p className="text-sm text-quiet">Connected to chat. Move tiles to a zone to change this.</p>
      ) : (
        <Switch
          label={
            <span className="text-quiet">
              Connected to chat<span className="sr-only"> in {zone.name}</span>
            </span>
          }
          isOn={zone.connectedToChat}
          onChange={(connectedToChat) => actions.patch(zone, { connectedToChat })}
        />
      )}
    </header>
  );
}
