import { type FormEvent, type RefObject, useRef, useState } from "react";
import { MAX_TAG_LENGTH, splitTags } from "../../ui/tags/split-tags.ts";
import { Button } from "../../ui/controls/button.tsx";
import { TextField } from "../../ui/controls/text-field.tsx";
import { Dialog } from "../../ui/floating/dialog.tsx";
import { RemovableTag } from "../../ui/tags/tag-chip.tsx";
import { countTags } from "../../ui/tags/tags.ts";
import { formatCount } from "../../text/plural.ts";
import { useBoard } from "../board-context.ts";

type TagsDialogProps = { readonly ids: readonly string[]; readonly onClose: () => void };

/** Adds tags to tiles, and removes those that they have. */
export function TagsDialog({ ids, onClose }: TagsDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog isOpen onClose={onClose} initialFocus={field} title="Tags" description={`${formatCount(ids.length, "tile")} selected`}>
      <Choice ids={ids} onClose={onClose} field={field} />
    </Dialog>
  );
}

function Choice({ ids, onClose, field }: TagsDialogProps & { readonly field: RefObject<HTMLInputElement | null> }) {
  const board = useBoard();
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string | null>(null);
  const chosen = new Set(ids);
  const tiles = board.columns().flatMap((column) => column.loadedTiles.filter(({ id }) => chosen.has(id)));
  const counts = countTags(tiles);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const { tags, problem } = splitTags(typed, tiles);
    if (problem !== null) return setError(problem);
    board.actions.tag(ids, { kind: "add", tags });
    onClose();
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        ref={field}
        label="Add tags"
        hint="Several are separated by commas."
        maxLength={MAX_TAG_LENGTH * 10}
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setError(null);
        }}
        {...(error !== null && { error })}
      />
      <div className="flex justify-end">
        <Button type="submit" variant="primary">
          Add
        </Button>
      </div>
      {counts.length > 0 && (
        <div className="flex flex-col gap-2">
          <h3 className="text-sm text-quiet">Remove</h3>
          <div className="flex flex-wrap gap-1.5">
            {counts.map(({ tag, count }) => (
              <RemovableTag
                key={tag}
                tag={tag}
                removeLabel={`Remove the tag ${tag} from ${formatCount(count, "tile")}`}
                onRemove={() => {
                  board.actions.tag(ids, { kind: "remove", tags: [tag] });
                  onClose();
                }}
              />
            ))}
          </div>
        </div>
      )}
    </form>
  );
}
