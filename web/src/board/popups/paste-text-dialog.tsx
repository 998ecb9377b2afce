import { useRef } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { TextArea } from "../../ui/controls/text-field.tsx";
import { Dialog } from "../../ui/floating/dialog.tsx";
import { truncate } from "../model/format.ts";
import type { BoardTile } from "../model/tile.ts";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { usePasteText } from "./use-paste-text.ts";

/** Lets the user paste the text of a tile that could not be read. The input is kept until it is saved. */
export function PasteTextDialog({ tile, onClose }: { readonly tile: BoardTile; readonly onClose: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const paste = usePasteText(tile, onClose);
  const actions = (
    <>
      <Button onClick={paste.discard}>Cancel</Button>
      <Button variant="primary" type="submit" form="paste-text" isBusy={paste.isSaving}>
        Save text
      </Button>
    </>
  );
  return (
    <>
      <Dialog
        isOpen
        onClose={onClose}
        shape="wide"
        title="Paste text instead"
        description={
          <>
            For “<bdi>{truncate(tile.title, 80)}</bdi>”. {tile.error?.message}
          </>
        }
        actions={actions}
        closesOutside={paste.text === ""}
        initialFocus={field}
      >
        <form
          id="paste-text"
          onSubmit={(event) => {
            event.preventDefault();
            paste.save();
          }}
        >
          <TextArea
            ref={field}
            label="Text"
            rows={10}
            value={paste.text}
            error={paste.error}
            hint="Open the original, copy its text, and paste it here."
            onChange={(event) => paste.change(event.target.value)}
          />
        </form>
      </Dialog>
      <ConflictDialog
        isOpen={paste.theirs !== null}
        title="This tile already has text"
        theirs={truncate(paste.theirs ?? "", 2_000)}
        mine={truncate(paste.text, 2_000)}
        onTheirs={paste.keepTheirs}
        onMine={paste.keepMine}
        onClose={paste.closeConflict}
      />
    </>
  );
}
