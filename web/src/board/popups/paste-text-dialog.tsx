import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { hasStatus, getErrorMessage, tessera } from "../../api/client/client.ts";
import { useDraftText } from "../../api/drafts/use-draft-state.ts";
import { cacheTile } from "../../api/tiles/tile-cache.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Dialog } from "../../ui/floating/dialog.tsx";
import { TextArea } from "../../ui/controls/text-field.tsx";
import { showToast } from "../../ui/toasts.ts";
import { ConflictDialog } from "./conflict-dialog.tsx";
import type { BoardTile } from "../model/tile.ts";
import { truncate } from "../model/format.ts";

/** Adds text by hand to a tile that could not be read. The input is kept until it is saved. */
export function PasteTextDialog({ tile, onClose }: { readonly tile: BoardTile; readonly onClose: () => void }) {
  const client = useQueryClient();
  const [text, setText] = useDraftText(`paste/${tile.id}`);
  const [error, setError] = useState<string | null>(null);
  // Until the ETag is known, one that never matches, so that the current text is checked before overwriting.
  const [etag, setEtag] = useState<string | null>('"0"');
  const [theirs, setTheirs] = useState<{ readonly text: string; readonly etag: string | null } | null>(null);

  useEffect(() => {
    const ended = new AbortController();
    tessera.tiles.get(tile.id, { signal: ended.signal }).then(
      (now) => setEtag(now.etag),
      () => undefined,
    );
    return () => ended.abort();
  }, [tile.id]);

  const field = useRef<HTMLTextAreaElement>(null);
  const save = useMutation({
    meta: { isQuiet: true },
    mutationFn: (ifMatch: string | null) => tessera.tiles.update(tile.id, { content: text }, { ifMatch }),
    onSuccess: (saved) => {
      cacheTile(client, saved);
      showToast({ text: "Text saved. The tile is ready.", kind: "good" });
      discard();
    },
    onError: async (refusal): Promise<void> => {
      if (!hasStatus(refusal, 412)) return setError(getErrorMessage(refusal));
      const now = await tessera.tiles.get(tile.id).catch(() => null);
      if (now === null) return setError(getErrorMessage(refusal));
      // The tile was retried and failed again, so there is no text to lose.
      if (now.extractedText === "") return save.mutate(now.etag);
      return setTheirs({ text: now.extractedText, etag: now.etag });
    },
  });

  const actions = (
    <>
      <Button onClick={discard}>Cancel</Button>
      <Button variant="primary" type="submit" form="paste-text" isBusy={save.isPending}>
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
        closesOutside={text === ""}
        initialFocus={field}
      >
        <form id="paste-text" onSubmit={submit}>
          <TextArea
            ref={field}
            label="Text"
            rows={10}
            value={text}
            error={error}
            hint="Open the original, copy its text, and paste it here."
            onChange={(event) => {
              setText(event.target.value);
              setError(null);
            }}
          />
        </form>
      </Dialog>
      <ConflictDialog
        isOpen={theirs !== null}
        title="This tile already has a text"
        theirs={truncate(theirs?.text ?? "", 2_000)}
        mine={truncate(text, 2_000)}
        onTheirs={() => {
          void client.invalidateQueries({ queryKey: ["tiles"] });
          discard();
        }}
        onMine={() => {
          setTheirs(null);
          save.mutate(theirs?.etag ?? null);
        }}
        onClose={() => setTheirs(null)}
      />
    </>
  );

  function discard(): void {
    setText("");
    onClose();
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() === "") setError("Paste or enter the text first.");
    else save.mutate(etag);
  }
}
