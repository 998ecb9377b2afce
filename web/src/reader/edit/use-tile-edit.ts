import type { Tile, Versioned } from "@tessera-board/sdk";
import { type Dispatch, type SetStateAction, useState } from "react";
import { hasStatus, getErrorMessage, tessera } from "../../api/client/client.ts";
import type { TileHistory } from "../../api/tiles/tile-history.ts";
import { useUpdateTile } from "../../api/tiles/tiles.ts";
import { type Draft, type EditedField, useTileDraft } from "./use-tile-draft.ts";

/** The current value of a field. */
const getFieldValue = (tile: Tile, field: EditedField): string => (field === "title" ? tile.title : tile.extractedText);

/**
 * Edits the title or text of a tile. Input is kept until it is saved or discarded. If somebody else changed the same field, `theirs` is
 * their version, and the user chooses between both. Changes of other fields are not conflicts.
 */
export function useTileEdit(tileId: string, tile: Versioned<Tile> | undefined, history: TileHistory) {
  const { draft, isDirty, setDraft } = useTileDraft(tileId);
  // The field is uncontrolled, so that the browser keeps the caret; a new key replaces its text.
  const [fieldKey, setFieldKey] = useState(0);
  const { send, isSaving, theirs, problem, setTheirs, setProblem } = useSave(tileId, setDraft, history);
  const conflict = theirs === null || draft === null ? null : { value: getFieldValue(theirs, draft.field), etag: theirs.etag };

  return {
    draft,
    fieldKey,
    theirs: theirs === null || conflict === null ? null : { value: conflict.value, at: theirs.updatedAt },
    problem,
    isSaving,
    isDirty,
    begin(field: EditedField, value?: string): void {
      if (tile === undefined) return;
      const base = getFieldValue(tile, field);
      setProblem(null);
      setFieldKey(fieldKey + 1);
      setDraft({ field, value: value ?? base, base, etag: tile.etag });
    },
    type(value: string): void {
      setProblem(null);
      setDraft((now) => now && { ...now, value });
    },
    end(): void {
      setDraft(null);
      setTheirs(null);
      setProblem(null);
    },
    save(): void {
      if (draft === null) return;
      if (draft.value.trim() === "") return setProblem(draft.field === "title" ? EMPTY_TITLE_MESSAGE : EMPTY_TEXT_MESSAGE);
      setProblem(null);
      void send(draft, draft.etag);
    },
    /** Overwrites the other person's version. */
    keepMine(): void {
      if (draft === null || conflict === null) return;
      const settled = { ...draft, base: conflict.value, etag: conflict.etag };
      setDraft(settled);
      setTheirs(null);
      void send(settled, conflict.etag);
    },
    /** Continues with the other person's version and discards the input. */
    takeTheirs(): void {
      if (draft === null || conflict === null) return;
      setFieldKey(fieldKey + 1);
      setDraft({ ...draft, value: conflict.value, base: conflict.value, etag: conflict.etag });
      setTheirs(null);
    },
  };
}

/** Saves drafts. Its state is the outcome: an error message, or the conflicting version of somebody else. */
function useSave(tileId: string, setDraft: Dispatch<SetStateAction<Draft | null>>, { keepEdit }: TileHistory) {
  const [theirs, setTheirs] = useState<Versioned<Tile> | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const update = useUpdateTile();

  async function send({ field, value, base }: Draft, etag: string | null, isSecond = false): Promise<void> {
    try {
      const patch = field === "title" ? { title: value.trim() } : { content: value };
      const saving = update.mutateAsync({ tileId, patch, ifMatch: etag });
      const saved = await saving;
      keepEdit(field === "title" ? "title" : "extractedText", base, saved, saving);
      // What was typed during the request is still unsaved.
      setDraft((now) => (now === null || now.value === value ? null : { ...now, base: getFieldValue(saved, field), etag: saved.etag }));
      setTheirs(null);
      setProblem(null);
    } catch (error) {
      if (!hasStatus(error, 412)) return setProblem(hasStatus(error, 404) ? TILE_DELETED_MESSAGE : getErrorMessage(error));
      const current = await tessera.tiles.get(tileId).catch(() => null);
      if (current === null) return setProblem(getErrorMessage(error));
      if (getFieldValue(current, field) === base && !isSecond) return send({ field, value, base, etag }, current.etag, true);
      setTheirs(current);
    }
  }

  return { send, isSaving: update.isPending, theirs, problem, setTheirs, setProblem };
}

export type TileEdit = ReturnType<typeof useTileEdit>;

const EMPTY_TITLE_MESSAGE = "Enter a title.";
const EMPTY_TEXT_MESSAGE = "Enter a text, or delete the tile.";
const TILE_DELETED_MESSAGE = "Someone deleted this tile. Copy your text before you close it.";
