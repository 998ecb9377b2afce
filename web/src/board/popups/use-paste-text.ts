import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { getErrorMessage, hasStatus, tessera } from "../../api/client/client.ts";
import { useDraftText } from "../../api/drafts/use-draft-state.ts";
import { cacheTile } from "../../api/tiles/tile-cache.ts";
import { showToast } from "../../ui/toasts.ts";
import type { BoardTile } from "../model/tile.ts";

/** An ETag that never matches. */
const STALE_ETAG = '"0"';

/**
 * The text that replaces the missing text of a tile; it is kept until it is saved or discarded. If the tile got a text in the meantime,
 * `theirs` is that text, and the user chooses between both.
 */
export function usePasteText(tile: BoardTile, onClose: () => void) {
  const client = useQueryClient();
  const [text, setText] = useDraftText(`paste/${tile.id}`);
  const [error, setError] = useState<string | null>(null);
  const [theirs, setTheirs] = useState<{ readonly text: string; readonly etag: string | null } | null>(null);
  const etag = useEtag(tile.id);
  const discard = (): void => {
    setText("");
    onClose();
  };

  const save = useMutation({
    meta: { isQuiet: true },
    mutationFn: (ifMatch: string | null) => tessera.tiles.update(tile.id, { content: text }, { ifMatch }),
    onSuccess: (saved) => {
      cacheTile(client, saved);
      showToast({ text: "Text saved. The tile is ready.", kind: "good" });
      discard();
    },
    onError: async (failure): Promise<void> => {
      if (!hasStatus(failure, 412)) return setError(getErrorMessage(failure));
      const now = await tessera.tiles.get(tile.id).catch(() => null);
      if (now === null) return setError(getErrorMessage(failure));
      // The tile was retried and failed again, so there is no text to lose.
      if (now.extractedText === "") return save.mutate(now.etag);
      return setTheirs({ text: now.extractedText, etag: now.etag });
    },
  });

  return {
    text,
    error,
    theirs: theirs?.text ?? null,
    isSaving: save.isPending,
    discard,
    change(value: string): void {
      setText(value);
      setError(null);
    },
    save(): void {
      if (text.trim() === "") setError("Enter or paste the text.");
      else save.mutate(etag);
    },
    keepTheirs(): void {
      void client.invalidateQueries({ queryKey: ["tiles"] });
      discard();
    },
    keepMine(): void {
      setTheirs(null);
      save.mutate(theirs?.etag ?? null);
    },
    closeConflict: (): void => setTheirs(null),
  };
}

/** The current ETag of a tile. Until it is known, one that never matches, so that the current text is checked before overwriting. */
function useEtag(tileId: string): string | null {
  const [etag, setEtag] = useState<string | null>(STALE_ETAG);
  useEffect(() => {
    const controller = new AbortController();
    tessera.tiles.get(tileId, { signal: controller.signal }).then(
      (now) => setEtag(now.etag),
      () => undefined,
    );
    return () => controller.abort();
  }, [tileId]);
  return etag;
}
