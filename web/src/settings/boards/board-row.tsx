import type { Board } from "@tessera-board/sdk";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { CheckIcon, EditIcon, MoreIcon, TrashIcon } from "../../ui/icons/icons.ts";
import { Menu, MenuItem } from "../../ui/floating/menu.tsx";
import { Badge } from "../parts/badge.tsx";
import { ListItem } from "../parts/list.tsx";

/** A board; members without the right to manage boards see no actions. */
export function BoardRow({
  board,
  canManage,
  onRename,
  onMakeDefault,
  onDelete,
}: {
  readonly board: Board;
  readonly canManage: boolean;
  readonly onRename: () => void;
  readonly onMakeDefault: () => void;
  readonly onDelete: () => void;
}) {
  return (
    <ListItem
      title={
        <a href={`/b/${encodeURIComponent(board.id)}`} className="rounded-sm hover:underline">
          {board.name}
        </a>
      }
      badges={board.isDefault && <Badge tone="accent">Default</Badge>}
      details={<code className="break-all">{board.id}</code>}
      actions={
        canManage && (
          <Menu
            trigger={
              <IconButton label={`Actions for ${board.name}`} hasTooltip={false}>
                <MoreIcon />
              </IconButton>
            }
          >
            <MenuItem icon={<EditIcon />} onSelect={onRename}>
              Rename…
            </MenuItem>
            {!board.isDefault && (
              <MenuItem icon={<CheckIcon />} onSelect={onMakeDefault}>
                Make default
              </MenuItem>
            )}
            {!board.isDefault && (
              <MenuItem icon={<TrashIcon />} isDanger onSelect={onDelete}>
                Delete
              </MenuItem>
            )}
          </Menu>
        )
      }
    />
  );
}
