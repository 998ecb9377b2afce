import type { Board } from "@tessera-board/sdk";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { cn } from "../ui/class-names.ts";
import { CheckIcon, SearchIcon } from "../ui/icons/icons.ts";

/** Number of boards from which the list has a search field. */
const MIN_BOARDS_FOR_SEARCH = 8;

export type BoardListProps = {
  readonly boards: readonly Board[];
  readonly currentId: string | undefined;
  readonly onChoose: (boardId: string) => void;
};

/** A list of boards with arrow-key navigation. */
export function BoardList({ boards, currentId, onChoose }: BoardListProps) {
  const [query, setQuery] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const needle = query.trim().toLowerCase();
  const found = needle === "" ? boards : boards.filter(({ name }) => name.toLowerCase().includes(needle));

  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...(list.current?.querySelectorAll("button") ?? [])];
    if (step === undefined || buttons.length === 0) return;
    event.preventDefault();
    const at = buttons.findIndex((button) => button === document.activeElement);
    buttons.at((at === -1 && step === -1 ? 0 : at + step) % buttons.length)?.focus();
  };

  return (
    <div onKeyDown={onKeyDown} className="flex min-h-0 flex-col">
      {boards.length >= MIN_BOARDS_FOR_SEARCH && (
        <div className="relative m-1 mb-2">
          <label htmlFor={id} className="sr-only">
            Find a board
          </label>
          <SearchIcon className="absolute top-1/2 left-2.5 -translate-y-1/2 text-quiet" />
          <input
            id={id}
            type="search"
            dir="auto"
            autoComplete="off"
            placeholder="Find a board"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) =>
              event.key === "Enter" && !event.nativeEvent.isComposing && found[0] !== undefined && onChoose(found[0].id)
            }
            className="field-box h-9 pl-8 pointer-coarse:h-11"
          />
        </div>
      )}
      <ul ref={list} className="min-h-0 overflow-y-auto" aria-label="Boards">
        {found.map(({ id: boardId, name, isDefault }) => (
          <li key={boardId}>
            <button
              type="button"
              aria-current={boardId === currentId ? "page" : undefined}
              onClick={() => onChoose(boardId)}
              className="flex min-h-9 w-full items-center gap-2 rounded-md px-2.5 text-left hover:bg-hover pointer-coarse:min-h-11"
            >
              <span dir="auto" className="min-w-0 flex-1 truncate text-start">
                {name}
              </span>
              {isDefault && <span className="text-xs text-quiet">default</span>}
              <CheckIcon className={cn(boardId !== currentId && "invisible")} />
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="px-2.5 py-2 text-quiet">No matching boards.</p>}
    </div>
  );
}
