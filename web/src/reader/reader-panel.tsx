import { useState } from "react";
import { hasStatus, getErrorMessage } from "../api/client/client.ts";
import type { TileHistory } from "../api/tiles/tile-history.ts";
import { useTile } from "../api/tiles/tiles.ts";
import type { Quote } from "../text/quote.ts";
import { Button } from "../ui/controls/button.tsx";
import { ConfirmDialog } from "../ui/floating/confirm-dialog.tsx";
import { Dialog } from "../ui/floating/dialog.tsx";
import { EmptyState } from "../ui/states/empty-state.tsx";
import { Spinner } from "../ui/icons/spinner.tsx";
import { TileView } from "./tile-view.tsx";
import { TitleEditor } from "./edit/title-editor.tsx";
import { useTileEdit } from "./edit/use-tile-edit.ts";

export type ReaderPanelProps = {
  readonly tileId: string;
  /** The quote to scroll to and highlight. */
  readonly quote?: Quote | null | undefined;
  readonly history: TileHistory;
  /** Shows only the tiles with a tag on the board. */
  readonly onTag: (tag: string) => void;
  readonly onClose: () => void;
};

/** A tile with its text and metadata: a side sheet, or full screen on phones. */
export const ReaderPanel = ({ tileId, ...rest }: ReaderPanelProps) => <Reader key={tileId} tileId={tileId} {...rest} />;

function Reader({ tileId, quote = null, history, onTag, onClose }: ReaderPanelProps) {
  const { data, error, refetch, isFetching, isPaused } = useTile(tileId);
  const edit = useTileEdit(tileId, data, history);
  const isGone = hasStatus(error, 404);
  // If somebody else deletes the tile, unsaved input stays visible so that it can be copied.
  const tile = isGone && edit.draft === null ? undefined : data;
  const [isLeaving, setLeaving] = useState(false);
  const close = (): void => (edit.isDirty ? setLeaving(true) : onClose());
  const leave = (): void => {
    edit.end();
    onClose();
  };
  return (
    <Dialog isOpen shape="sheet" title={tile?.title ?? "Tile"} onClose={close} closesOutside={!edit.isDirty}>
      {tile !== undefined && edit.draft?.field === "title" && (
        <div className="mb-4">
          <TitleEditor key={edit.fieldKey} edit={edit} />
        </div>
      )}
      {tile !== undefined && <TileView {...{ tile, quote, edit, history, onTag, onClose }} />}
      {tile === undefined && error === null && isPaused && (
        <EmptyState title="No connection">The tile appears when the server is reachable again.</EmptyState>
      )}
      {tile === undefined && error === null && !isPaused && (
        <div className="flex justify-center py-16 text-quiet">
          <Spinner label="Loading the tile" />
        </div>
      )}
      {tile === undefined && error !== null && (
        <EmptyState
          title={isGone ? "This tile does not exist" : "The tile could not be loaded"}
          actions={
            isGone ? (
              <Button onClick={onClose}>Close</Button>
            ) : (
              <Button onClick={() => void refetch()} isBusy={isFetching}>
                Try again
              </Button>
            )
          }
        >
          {isGone ? "It was deleted, or you have no access to its board." : getErrorMessage(error)}
        </EmptyState>
      )}
      <ConfirmDialog
        isOpen={isLeaving}
        onClose={() => setLeaving(false)}
        title="Discard unsaved changes?"
        action="Discard"
        onConfirm={leave}
      >
        Your changes to the {edit.draft?.field === "title" ? "title" : "text"} have not been saved.
      </ConfirmDialog>
    </Dialog>
  );
}
