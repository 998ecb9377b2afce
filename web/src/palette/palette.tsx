import { Dialog } from "@base-ui/react/dialog";
import { type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from "react";
import { getErrorMessage } from "../api/client/client.ts";
import type { OpenTile } from "../text/quote.ts";
import { useFinalFocus } from "../ui/hooks/use-final-focus.ts";
import { CloseIcon, SearchIcon } from "../ui/icons/icons.ts";
import { Kbd } from "../ui/icons/kbd.tsx";
import { Spinner } from "../ui/icons/spinner.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import type { PaletteItem } from "./actions.ts";
import { PaletteList } from "./palette-list.tsx";
import { usePaletteItems } from "./use-palette-items.ts";

export type PaletteProps = {
  readonly boardId: string;
  /** Shows the keyboard shortcuts instead of the search. */
  readonly isHelp: boolean;
  /** Returns what was typed while this was loading. */
  readonly takeTyped: () => string;
  readonly onOpenTile: OpenTile;
  readonly onClose: () => void;
};

/** The command palette: searches tiles, boards and actions. */
export function Palette({ isHelp, ...rest }: PaletteProps) {
  if (isHelp) return <ShortcutsDialog onClose={rest.onClose} />;
  return <Search {...rest} />;
}

function Search({ boardId, takeTyped, onOpenTile, onClose }: Omit<PaletteProps, "isHelp">) {
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const finalFocus = useFinalFocus(true);
  const { items, isSearching, error } = usePaletteItems(boardId, query, onOpenTile);
  const index = Math.min(active, items.length - 1);
  const choose = (item: PaletteItem): void => {
    onClose();
    // After the dialog has returned the focus, so that the chosen action can move it.
    setTimeout(item.run, 0);
  };
  useEffect(() => {
    document.getElementById(`${listId}-${index}`)?.scrollIntoView({ block: "nearest" });
  }, [index, listId]);

  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Viewport className="fixed inset-0 z-40 flex items-start justify-center p-3 sm:pt-[12vh]">
          <Dialog.Popup
            initialFocus={field}
            finalFocus={finalFocus}
            className="popup-box flex max-h-[min(34rem,100%)] w-full max-w-xl flex-col overflow-hidden"
          >
            <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              {isSearching ? <Spinner className="text-quiet" /> : <SearchIcon className="text-quiet" />}
              <SearchField
                ref={field}
                {...{ listId, items, index, query }}
                onActive={setActive}
                onChoose={choose}
                onFocus={() => setQuery(takeTyped() + query)}
                onQuery={(next) => {
                  setQuery(next);
                  setActive(0);
                }}
              />
              <CloseButton />
            </div>
            <PaletteList id={listId} items={items} index={index} onPoint={setActive} onChoose={choose} />
            <p aria-live="polite" className="px-4 text-sm text-quiet not-empty:py-3">
              {error !== null ? getErrorMessage(error) : items.length === 0 && !isSearching ? "No results. Try other words." : ""}
            </p>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type SearchFieldProps = {
  readonly ref: Ref<HTMLInputElement>;
  readonly listId: string;
  readonly items: readonly PaletteItem[];
  readonly index: number;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly onActive: (index: number) => void;
  readonly onChoose: (item: PaletteItem) => void;
  readonly onFocus: () => void;
};

/** The combobox that controls the list of results. */
function SearchField({ ref, listId, items, index, query, onQuery, onActive, onChoose, onFocus }: SearchFieldProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const item = items[index];
    if (step !== undefined && items.length > 0) onActive((index + step + items.length) % items.length);
    else if (event.key === "Enter" && item !== undefined) onChoose(item);
    else return;
    event.preventDefault();
  };
  return (
    <input
      ref={ref}
      dir="auto"
      role="combobox"
      aria-label="Search tiles, boards and actions"
      aria-expanded={items.length > 0}
      aria-controls={listId}
      aria-activedescendant={index < 0 ? undefined : `${listId}-${index}`}
      aria-autocomplete="list"
      autoComplete="off"
      spellCheck={false}
      placeholder="Search or run an action"
      value={query}
      onFocus={onFocus}
      onChange={(event) => onQuery(event.target.value)}
      onKeyDown={onKeyDown}
      className="h-12 min-w-0 flex-1 bg-transparent text-lg focus-visible:outline-none"
    />
  );
}

const CloseButton = () => (
  <Dialog.Close
    aria-label="Close, Esc"
    className="inline-flex items-center justify-center rounded-md p-1 text-quiet hover:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11"
  >
    <span className="pointer-coarse:hidden">
      <Kbd keys="Esc" />
    </span>
    <CloseIcon className="hidden pointer-coarse:block" />
  </Dialog.Close>
);
