import { useState } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { TextField } from "../../ui/controls/text-field.tsx";
import { Conflict } from "./conflict.tsx";
import type { TileEdit } from "./use-tile-edit.ts";

/** The editor of a tile's title; Enter saves, Escape cancels. */
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
          // While an input method composes text, Escape only cancels that.
          if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
          // Close the field, not the panel.
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
