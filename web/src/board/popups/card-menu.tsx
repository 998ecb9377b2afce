import { showToast } from "../../ui/toasts.ts";
import { CheckIcon, CopyIcon, ExternalIcon, MoveIcon, RetryIcon, TagIcon, TextIcon, TrashIcon } from "../../ui/icons/icons.ts";
import { MenuItem, MenuSeparator } from "../../ui/floating/menu.tsx";
import { copyText } from "../../ui/controls/copy-button.tsx";
import { getTargetIds, useBoard } from "../board-context.ts";
import { toggleTile } from "../model/selection.ts";
import type { BoardTile } from "../model/tile.ts";
import { getSite } from "../model/format.ts";
import { SharedMenu } from "./shared-menu.tsx";
import { formatCount } from "../../text/plural.ts";

type CardMenuProps = { readonly tile: BoardTile; readonly button: HTMLElement; readonly onClose: () => void };

/** The actions for a tile, or for the selection if the tile is part of it. */
export function CardMenu({ tile, button, onClose }: CardMenuProps) {
  return (
    <SharedMenu label={`Actions for ${tile.title}`} button={button} onClose={onClose}>
      <Items tile={tile} />
    </SharedMenu>
  );
}

function Items({ tile }: { readonly tile: BoardTile }) {
  const board = useBoard();
  const ids = getTargetIds(board, tile.id);
  const many = ids.length > 1 ? ` ${formatCount(ids.length, "tile")}` : "";
  const isSelected = board.selection.get().ids.has(tile.id);
  const { sourceUrl } = tile;
  const canRetry = tile.type !== "TEXT" && tile.status !== "processing" && tile.textOverridden !== true;
  return (
    <>
      <MenuItem icon={<TextIcon />} keys="Enter" onSelect={() => afterMenuCloses(() => board.openTile(tile.id))}>
        Open
      </MenuItem>
      <MenuItem icon={<CheckIcon />} keys="x" onSelect={() => board.selection.set((selection) => toggleTile(selection, tile.id))}>
        {isSelected ? "Deselect" : "Select"}
      </MenuItem>
      <MenuItem icon={<MoveIcon />} keys="m" onSelect={() => afterMenuCloses(() => board.openMove(ids))}>
        {`Move${many} to…`}
      </MenuItem>
      <MenuItem icon={<TagIcon />} onSelect={() => afterMenuCloses(() => board.openTags(ids))}>
        {`Tags${many === "" ? "" : ` of${many}`}…`}
      </MenuItem>
      {(canRetry || many !== "") && (
        <MenuItem icon={<RetryIcon />} keys="r" onSelect={() => board.actions.retry(ids)}>
          {tile.status === "failed" ? `Retry${many}` : `Refresh${many}`}
        </MenuItem>
      )}
      {tile.status === "failed" && (
        <MenuItem icon={<TextIcon />} onSelect={() => afterMenuCloses(() => board.openPasteText(tile))}>
          Paste text instead…
        </MenuItem>
      )}
      {getSite(sourceUrl) !== null && sourceUrl !== null && (
        <>
          <MenuSeparator />
          <MenuItem icon={<ExternalIcon />} onSelect={() => void window.open(sourceUrl, "_blank", "noopener,noreferrer")}>
            Open original
          </MenuItem>
          <MenuItem icon={<CopyIcon />} onSelect={() => void copyUrl(sourceUrl)}>
            Copy link
          </MenuItem>
        </>
      )}
      <MenuSeparator />
      <MenuItem icon={<TrashIcon />} keys="Delete" isDanger onSelect={() => board.actions.remove(ids)}>
        {`Delete${many}`}
      </MenuItem>
    </>
  );
}

/** Runs after the menu has closed and returned the focus, so that what opens can take it. */
const afterMenuCloses = (open: () => void): void => void setTimeout(open, 0);

const copyUrl = (url: string): Promise<unknown> =>
  copyText(url).then(
    () => showToast({ text: "Link copied.", kind: "good" }),
    () => showToast({ text: "The browser blocked copying. Open the original and copy its URL.", kind: "problem" }),
  );
