import type { Tile } from "@tessera-board/sdk";
import { getErrorMessage } from "../api/client/client.ts";
import { useDeleteTiles, useRestoreTiles, useRetryTiles } from "../api/tiles/tiles.ts";
import { Button } from "../ui/controls/button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { IconButton } from "../ui/controls/icon-button.tsx";
import { EditIcon, RetryIcon, TrashIcon } from "../ui/icons/icons.ts";
import { Notice } from "../ui/states/notice.tsx";
import { showToast } from "../ui/toasts.ts";
import type { TileEdit } from "./edit/use-tile-edit.ts";

/** The actions for a tile. */
export function TileActions({ tile, edit, onClose }: { readonly tile: Tile; readonly edit: TileEdit; readonly onClose: () => void }) {
  const retry = useRetryTiles(tile.boardId);
  const remove = useDeleteTiles(tile.boardId);
  const restore = useRestoreTiles(tile.boardId);
  const isEditing = edit.draft !== null;
  const canRefresh = tile.type !== "TEXT" && tile.status === "ready" && tile.textOverridden !== true;

  function deleteTile(): void {
    onClose();
    const onDeleted = () =>
      showToast({
        text: "Tile deleted. It can be restored for 30 days.",
        action: { label: "Undo", onPress: () => restore.mutate([tile.id]) },
      });
    // The mutation itself reports errors.
    void remove.mutateAsync([tile.id]).then(onDeleted, () => undefined);
  }

  return (
    <div role="group" aria-label="Actions" className="flex flex-wrap items-center gap-2 print:hidden">
      {retry.isError && (
        <Notice kind="problem" className="w-full">
          {getErrorMessage(retry.error)}
        </Notice>
      )}
      <Button size="sm" disabled={isEditing} onClick={() => edit.begin("content")}>
        <EditIcon /> Edit text
      </Button>
      <Button size="sm" disabled={isEditing} onClick={() => edit.begin("title")}>
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
