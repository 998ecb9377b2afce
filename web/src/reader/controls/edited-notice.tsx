import type { Tile } from "@tessera-board/sdk";
import { useState } from "react";
import { getErrorMessage } from "../../api/client/client.ts";
import { useReplaceText } from "../../api/tiles/tiles.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ConfirmDialog } from "../../ui/floating/confirm-dialog.tsx";
import { RetryIcon } from "../../ui/icons/icons.ts";
import { Notice } from "../../ui/states/notice.tsx";

/** Explains that the text was edited, and offers to replace it with the text of the link or file. */
export function EditedNotice({ tile, isEditing }: { readonly tile: Tile; readonly isEditing: boolean }) {
  const replaceText = useReplaceText();
  const [isAsking, setAsking] = useState(false);
  const source = tile.sourceUrl === null ? "file" : "link";
  return (
    <Notice className="flex flex-col gap-2 print:hidden">
      <p>This text was edited, so the {source} is not refreshed automatically.</p>
      <Button size="sm" className="self-start" disabled={isEditing} isBusy={replaceText.isPending} onClick={() => setAsking(true)}>
        <RetryIcon /> Refresh from the {source}…
      </Button>
      {replaceText.isError && (
        <p role="alert" className="text-danger">
          {getErrorMessage(replaceText.error)}
        </p>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Replace the edited text?"
        action="Replace text"
        onConfirm={() => {
          setAsking(false);
          replaceText.mutate(tile.id);
        }}
      >
        The text of the {source} replaces the edited text. If the {source} cannot be read, the edited text stays. Copy it first if you may
        need it later.
      </ConfirmDialog>
    </Notice>
  );
}
