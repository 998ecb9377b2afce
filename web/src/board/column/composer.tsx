import { type KeyboardEvent, type Ref, type SyntheticEvent, useImperativeHandle, useRef } from "react";
import { useDraftText } from "../../api/drafts/use-draft-state.ts";
import { Button } from "../../ui/controls/button.tsx";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { UploadIcon } from "../../ui/icons/icons.ts";
import { useBoard } from "../board-context.ts";
import { describeEntries, parseEntries } from "../model/parse-input.ts";
import type { BoardColumn } from "../model/tile.ts";

type ComposerProps = { readonly column: BoardColumn; readonly ref: Ref<HTMLTextAreaElement> };

/** The field where links and text are typed or pasted. Input that could not be added stays. */
export function Composer({ column, ref }: ComposerProps) {
  const { actions, boardId, focus } = useBoard();
  const [text, setText] = useDraftText(`composer/${boardId}/${column.id}`);
  const box = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => box.current as HTMLTextAreaElement, []);
  const entries = parseEntries(text);
  const isOpen = text !== "";
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (entries.length === 0) return;
    const typed = text;
    setText("");
    void actions.add(column.id, entries, [], true).then((isAdded) => {
      // Put failed input back, before what was typed since.
      if (!isAdded) setText((now) => (now === "" ? typed : `${typed}\n${now}`));
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      if (text === "") focus.enter(column.id);
      event.stopPropagation();
    }
    // Shift+Enter inserts a line break.
    if (event.key === "Enter" && !event.shiftKey) submit(event);
  };
  return (
    <form onSubmit={submit} className="mx-2 mb-1 rounded-lg border border-line bg-raised focus-within:border-accent">
      <div className="flex items-start">
        <textarea
          ref={box}
          data-composer
          dir="auto"
          value={text}
          rows={isOpen ? Math.min(8, Math.max(2, text.split("\n").length)) : 1}
          aria-label={`Add to ${column.name}`}
          placeholder="Add a link or text"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-48 min-h-9 min-w-0 flex-1 resize-none bg-transparent px-3 py-1.5 focus-visible:outline-none pointer-coarse:min-h-11 pointer-coarse:py-2.5"
        />
        {!isOpen && <FileButton column={column} />}
      </div>
      {isOpen && (
        <div className="flex items-center gap-2 px-2 pb-2">
          <p className="min-w-0 flex-1 truncate pl-1 text-sm text-quiet">{describeEntries(entries)}</p>
          <Button size="sm" variant="quiet" onClick={() => setText("")}>
            Clear
          </Button>
          <Button size="sm" variant="primary" type="submit">
            Add
          </Button>
        </div>
      )}
    </form>
  );
}

function FileButton({ column }: { readonly column: BoardColumn }) {
  const { actions } = useBoard();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={`Files for ${column.name}`}
        onChange={(event) => {
          void actions.add(column.id, [], [...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <IconButton label={`Add files to ${column.name}`} hasTooltip={false} onClick={() => input.current?.click()}>
        <UploadIcon />
      </IconButton>
    </>
  );
}
