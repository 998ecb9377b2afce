import type { Tile } from "@tessera-board/sdk";
import { type KeyboardEvent, useRef, useState } from "react";
import type { TileHistory } from "../../api/tiles/tile-history.ts";
import { TextField } from "../../ui/controls/text-field.tsx";
import { splitTags } from "../../ui/tags/split-tags.ts";
import { RemovableTag } from "../../ui/tags/tag-chip.tsx";

export type TileTagsProps = {
  readonly tile: Tile;
  readonly history: TileHistory;
  /** Shows the tiles of the board with a tag. */
  readonly onTag: (tag: string) => void;
};

/** The tags of a tile, with a field that adds others. */
export function TileTags({ tile, history, onTag }: TileTagsProps) {
  const group = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState("");
  const [error, setError] = useState<string | null>(null);

  function add(): void {
    const { tags, problem } = splitTags(typed, [tile]);
    if (problem !== null) return setError(problem);
    history.tag(tile, { kind: "add", tags });
    setTyped("");
  }

  /** The button disappears with its tag, so that the one beside it gets the focus. */
  function remove(tag: string, index: number): void {
    history.tag(tile, { kind: "remove", tags: [tag] });
    const buttons = group.current?.querySelectorAll<HTMLElement>("[data-remove]");
    (buttons?.[index + 1] ?? buttons?.[index - 1] ?? group.current)?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && typed !== "") {
      // Closes the reader otherwise.
      event.stopPropagation();
      setTyped("");
      setError(null);
    }
    if (event.key !== "Enter" && event.key !== ",") return;
    event.preventDefault();
    if (typed.trim() !== "") add();
  }

  return (
    <div ref={group} role="group" aria-label="Tags" tabIndex={-1} className="flex flex-wrap items-start gap-1.5 outline-none">
      {tile.tags.map((tag, index) => (
        <RemovableTag
          key={tag}
          tag={tag}
          selectLabel={`Show tiles tagged ${tag}`}
          onSelect={() => onTag(tag)}
          removeLabel={`Remove the tag ${tag}`}
          onRemove={() => remove(tag, index)}
        />
      ))}
      <TextField
        label="Add a tag"
        hideLabel
        placeholder="Add a tag"
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setError(null);
        }}
        onKeyDown={onKeyDown}
        className="max-w-40 min-w-28 flex-1 gap-0.5! print:hidden"
        inputClassName="h-7! rounded-full! px-2.5! text-sm pointer-coarse:h-11.5! pointer-coarse:px-3!"
        {...(error !== null && { error })}
      />
    </div>
  );
}
