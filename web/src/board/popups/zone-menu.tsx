import type { ZoneSize } from "@tessera-board/sdk";
import { cn } from "../../ui/class-names.ts";
import { ArrowLeftIcon, ArrowRightIcon, EditIcon, TrashIcon } from "../../ui/icons/icons.ts";
import { MenuItem, MenuSeparator, SubMenu } from "../../ui/floating/menu.tsx";
import { COLORS, getColorClass, SIZES, getZoneSize } from "../column/zone-style.ts";
import { useZoneContext } from "../zone-context.ts";
import { SharedMenu } from "./shared-menu.tsx";
import type { OpenPopup } from "./popup.ts";

type ZoneMenuProps = Extract<OpenPopup, { kind: "zone-menu" }> & { readonly onEmoji: () => void; readonly onClose: () => void };

/** The actions for a zone. */
export function ZoneMenu({ column, zone, button, isFirst, isLast, onRename, onEmoji, onClose }: ZoneMenuProps) {
  const { actions } = useZoneContext();
  return (
    <SharedMenu label={`Actions for zone ${zone.name}`} button={button} onClose={onClose}>
      <MenuItem icon={<EditIcon />} onSelect={onRename}>
        Rename
      </MenuItem>
      <SubMenu label="Colour" icon={<Swatch color={zone.color} />}>
        <MenuItem icon={<Swatch color={null} />} isChosen={zone.color === null} onSelect={() => actions.patch(zone, { color: null })}>
          None
        </MenuItem>
        {COLORS.map((color) => (
          <MenuItem
            key={color}
            icon={<Swatch color={color} />}
            isChosen={zone.color === color}
            onSelect={() => actions.patch(zone, { color })}
          >
            {`${color.slice(0, 1).toUpperCase()}${color.slice(1)}`}
          </MenuItem>
        ))}
      </SubMenu>
      <MenuItem
        icon={<span className="w-4 text-center text-sm">{zone.emoji ?? "☺"}</span>}
        onSelect={() => {
          // Open after the menu has closed and returned the focus.
          setTimeout(onEmoji, 0);
        }}
      >
        Emoji…
      </MenuItem>
      <SubMenu label="Width" icon={<span className="w-4 text-center text-sm">↔</span>}>
        {Object.entries(SIZES).map(([size, name]) => (
          <MenuItem key={size} isChosen={getZoneSize(zone) === size} onSelect={() => actions.patch(zone, { size: size as ZoneSize })}>
            {name}
          </MenuItem>
        ))}
      </SubMenu>
      <MenuSeparator />
      <MenuItem icon={<ArrowLeftIcon />} isDisabled={isFirst} onSelect={() => actions.shift(zone, -1)}>
        Move left
      </MenuItem>
      <MenuItem icon={<ArrowRightIcon />} isDisabled={isLast} onSelect={() => actions.shift(zone, 1)}>
        Move right
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<TrashIcon />} isDanger onSelect={() => actions.remove(column)}>
        Delete zone and tiles
      </MenuItem>
    </SharedMenu>
  );
}

const Swatch = ({ color }: { readonly color: string | null }) => (
  <span
    className={cn("size-3.5 shrink-0 rounded-full border", color === null ? "border-edge" : "border-transparent", getColorClass(color))}
  />
);
