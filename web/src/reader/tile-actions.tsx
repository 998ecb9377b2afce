import type { Tile } from "@tessera-board/sdk";
import { type RefObject, useEffect, useRef } from "react";
import { getErrorMessage } from "../api/client/client.ts";
import type { TileHistory } from "../api/tiles/tile-history.ts";
import { useRetryTiles } from "../api/tiles/tiles.ts";
import { Button } from "../ui/controls/button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { IconButton } from "../ui/controls/icon-button.tsx";
import { EditIcon, RetryIcon, TrashIcon } from "../ui/icons/icons.ts";
import { Notice } from "../ui/states/notice.tsx";
import type { EditedField } from "./edit/use-tile-draft.ts";
import type { TileEdit } from "./edit/use-tile-edit.ts";

export type TileActionsProps = {
  readonly tile: Tile;
  readonly edit: TileEdit;
  readonly history: TileHistory;
  readonly onClose: () => void;
};

/** The actions for a tile. */
export function TileActions({ tile, edit, history, onClose }: TileActionsProps) {
  const retry = useRetryTiles(tile.boardId);
  const [editButton, renameButton] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)];
  const isEditing = edit.draft !== null;
  useReturnedFocus(edit.draft?.field ?? null, { title: renameButton, content: editButton });
  const canRefresh = tile.type !== "TEXT" && tile.status === "ready" && tile.textOverridden !== true;

  const deleteTile = (): void => {
    onClose();
    history.remove(tile);
  };

  return (
    <div role="group" aria-label="Actions" className="flex flex-wrap items-center gap-2 print:hidden">
      {retry.isError && (
        <Notice kind="problem" className="w-full">
          {getErrorMessage(retry.error)}
        </Notice>
      )}
      <Button ref={editButton} size="sm" disabled={isEditing} onClick={() => edit.begin("content")}>
        <EditIcon /> Edit text
      </Button>
      <Button ref={renameButton} size="sm" disabled={isEditing} onClick={() => edit.begin("title")}>
        Rename
      </Button>
      {canRefresh && (
        <Button size="sm" isBusy={retry.isPending} onClick={() => retry.mutate([tile.id])}>
          <RetryIcon /> Refresh
        </Button>
      )}
      {tile.extractedText !== "" && <CopyButton text={tile.extractedText} label="Copy" />}
      <IconButton label="Delete tile" size="md" className="ml-auto hover:text-danger" onClick={deleteTile}>
        <TrashIcon />
      </IconButton>
    </div>
  );
}

type Buttons = Readonly<Record<EditedField, RefObject<HTMLButtonElement | null>>>;

/** Moves the focus from an editor that was closed to the button that opens it. */
function useReturnedFocus(field: EditedField | null, buttons: Buttons): void {
  const previous = useRef(field);
  useEffect(() => {
    const closed = field === null ? previous.current : null;
    previous.current = field;
    const isLost = document.activeElement?.closest("button, a, input, textarea, select") == null;
    if (closed !== null && isLost) buttons[closed].current?.focus();
  }, [field]);
}
