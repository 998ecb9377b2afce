import { Button } from "../../ui/controls/button.tsx";
import { CloseIcon, MoveIcon, RetryIcon, SparkleIcon, TagIcon, TrashIcon } from "../../ui/icons/icons.ts";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { useBoard } from "../board-context.ts";
import { NO_SELECTION } from "../model/selection.ts";
import { formatCount } from "../../text/plural.ts";
import { useStore } from "../model/store.ts";

/** The actions for the selection; covers the filters while tiles are selected. */
export function SelectionBar() {
  const board = useBoard();
  const { ids } = useStore(board.selection, (selection) => selection);
  if (ids.size === 0) return null;
  const all = [...ids];
  return (
    <div className="@container pointer-events-none absolute inset-x-0 top-1 z-20 max-sm:top-0">
      <div
        role="toolbar"
        aria-label="Selected tiles"
        className="popup-box pointer-events-auto mx-auto flex w-max max-w-[calc(100%-1rem)] items-center gap-1 overflow-x-auto py-1.5 pr-1.5 pl-4 max-sm:w-full max-sm:max-w-full max-sm:rounded-none max-sm:border-x-0 max-sm:border-t-0 max-sm:py-0"
      >
        <span className="pr-2 font-medium whitespace-nowrap max-sm:flex-1" aria-live="polite">
          {formatCount(ids.size, "tile")} selected
        </span>
        <Button variant="quiet" size="sm" onClick={() => board.openMove(all)}>
          <MoveIcon />
          <ButtonLabel>Move to…</ButtonLabel>
        </Button>
        <Button variant="quiet" size="sm" onClick={() => board.openTags(all)}>
          <TagIcon />
          <ButtonLabel>Tags…</ButtonLabel>
        </Button>
        <Button variant="quiet" size="sm" onClick={() => board.openGenerate(all)}>
          <SparkleIcon />
          <ButtonLabel>Generate…</ButtonLabel>
        </Button>
        <Button variant="quiet" size="sm" onClick={() => board.actions.retry(all)}>
          <RetryIcon />
          <ButtonLabel>Retry</ButtonLabel>
        </Button>
        <Button variant="quiet" size="sm" className="text-danger" onClick={() => board.actions.remove(all)}>
          <TrashIcon />
          <ButtonLabel>Delete</ButtonLabel>
        </Button>
        <IconButton label="Clear selection" keys="Esc" size="sm" onClick={() => board.selection.set(NO_SELECTION)}>
          <CloseIcon />
        </IconButton>
      </div>
    </div>
  );
}

/** The label of a button; hidden visually on narrow boards, where only the icon is shown. */
function ButtonLabel({ children }: { readonly children: string }) {
  return <span className="@max-2xl:sr-only">{children}</span>;
}
