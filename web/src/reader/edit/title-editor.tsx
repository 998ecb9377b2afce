import { useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { TextField } from "../../ui/controls/text-field.tsx";
import { Conflict } from "./conflict.tsx";
import type { TileEdit } from "./use-tile-edit.ts";

/** One line for the title; Enter saves, Escape gives up. */
export function TitleEditor({ edit }: { readonly edit: TileEdit }) {
  const [initial] = useState(edit.draft?.value ?? "");
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        edit.save();
      }}
    >
      <TextField
        label="Title"
        defaultValue={initial}
        error={edit.problem}
        maxLength={1_000}
        autoFocus
        onChange={(event) => edit.type(event.target.value)}
        onKeyDown={(event) => {
          // While an input method composes a word, Escape only ends the word.
          if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
          // The panel stays open: only the field is left.
          event.stopPropagation();
          edit.end();
        }}
      />
      {edit.theirs === null ? (
        <div className="flex justify-end gap-2">
          <Button size="sm" onClick={edit.end}>
            Cancel
          </Button>
          <Button size="sm" variant="primary" type="submit" isBusy={edit.isSaving}>
            Save title
          </Button>
        </div>
      ) : (
        <Conflict edit={edit} noun="title" />
      )}
    </form>
  );
}
