import { showToast } from "../../ui/toasts.ts";
import { CheckIcon, CopyIcon, ExternalIcon, MoveIcon, RetryIcon, TextIcon, TrashIcon } from "../../ui/marks/icons.tsx";
import { MenuItem, MenuLine } from "../../ui/floating/menu.tsx";
import { copyText } from "../../ui/controls/copy-button.tsx";
import { idsFor, useBoard } from "../board-context.ts";
import { toggled } from "../model/selection.ts";
import type { BoardTile } from "../model/tile.ts";
import { siteOf } from "../model/words.ts";
import { AnchoredMenu } from "./anchored-menu.tsx";
import { counted } from "../../text/counted.ts";

type CardMenuProps = { readonly tile: BoardTile; readonly button: HTMLElement; readonly onClose: () => void };

/** What can be done with a tile, or with all that are selected where it is one of them. */
export function CardMenu({ tile, button, onClose }: CardMenuProps) {
  return (
    <AnchoredMenu label={`Actions for ${tile.title}`} button={button} onClose={onClose}>
      <Items tile={tile} />
    </AnchoredMenu>
  );
}

function Items({ tile }: { readonly tile: BoardTile }) {
  const board = useBoard();
  const ids = idsFor(board, tile.id);
  const many = ids.length > 1 ? ` ${counted(ids.length, "tile")}` : "";
  const isSelected = board.selection.get().ids.has(tile.id);
  const { sourceUrl } = tile;
  const canRetry = tile.type !== "TEXT" && tile.status !== "processing" && tile.textOverridden !== true;
  return (
    <>
      <MenuItem icon={<TextIcon />} keys="Enter" onSelect={() => later(() => board.openTile(tile.id))}>
        Open
      </MenuItem>
      <MenuItem icon={<CheckIcon />} keys="x" onSelect={() => board.selection.set((selection) => toggled(selection, tile.id))}>
        {isSelected ? "Take out of the selection" : "Select"}
      </MenuItem>
      <MenuItem icon={<MoveIcon />} keys="m" onSelect={() => later(() => board.openMove(ids))}>
        {`Move${many} to…`}
      </MenuItem>
      {(canRetry || many !== "") && (
        <MenuItem icon={<RetryIcon />} keys="r" onSelect={() => board.actions.retry(ids)}>
          {tile.status === "failed" ? `Retry${many}` : `Read${many} again`}
        </MenuItem>
      )}
      {tile.status === "failed" && (
        <MenuItem icon={<TextIcon />} onSelect={() => later(() => board.openPasteText(tile))}>
          Paste the text instead…
        </MenuItem>
      )}
      {siteOf(sourceUrl) !== null && sourceUrl !== null && (
        <>
          <MenuLine />
          <MenuItem icon={<ExternalIcon />} onSelect={() => void window.open(sourceUrl, "_blank", "noopener,noreferrer")}>
            Open the original
          </MenuItem>
          <MenuItem icon={<CopyIcon />} onSelect={() => void copyAddress(sourceUrl)}>
            Copy its address
          </MenuItem>
        </>
      )}
      <MenuLine />
      <MenuItem icon={<TrashIcon />} keys="Delete" isDanger onSelect={() => board.actions.remove(ids)}>
        {`Delete${many}`}
      </MenuItem>
    </>
  );
}

/** After the menu has closed and given the focus back, so that what opens can take it. */
const later = (open: () => void): void => void setTimeout(open, 0);

const copyAddress = (url: string): Promise<unknown> =>
  copyText(url).then(
    () => showToast({ text: "The address is copied.", kind: "good" }),
    () => showToast({ text: "The browser did not let the address be copied. Open the original and copy it there.", kind: "problem" }),
  );
