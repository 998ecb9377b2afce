import { Button } from "../../ui/button.tsx";
import { CloseIcon, MoveIcon, RetryIcon, TrashIcon } from "../../ui/icons.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { useBoard } from "../board-context.ts";
import { NOTHING } from "../model/selection.ts";
import { counted } from "../model/words.ts";
import { useStore } from "../use-store.ts";

/** What can be done with all that is selected; it lies over the filters while there is a selection. */
export function SelectionBar() {
  const board = useBoard();
  const { ids } = useStore(board.selection, (selection) => selection);
  if (ids.size === 0) return null;
  const all = [...ids];
  return (
    <div
      role="toolbar"
      aria-label="Selected tiles"
      className="popup-box absolute inset-x-0 top-1 z-20 mx-auto flex w-max max-w-[calc(100%-1rem)] items-center gap-1 overflow-x-auto py-1.5 pr-1.5 pl-4"
    >
      <span className="pr-2 font-medium whitespace-nowrap" aria-live="polite">
        {counted(ids.size, "tile")} selected
      </span>
      <Button variant="quiet" size="sm" onClick={() => board.openMove(all)}>
        <MoveIcon />
        Move to…
      </Button>
      <Button variant="quiet" size="sm" onClick={() => board.actions.retry(all)}>
        <RetryIcon />
        Retry
      </Button>
      <Button variant="quiet" size="sm" className="text-danger" onClick={() => board.actions.remove(all)}>
        <TrashIcon />
        Delete
      </Button>
      <IconButton label="Clear the selection" keys="Esc" size="sm" onClick={() => board.selection.set(NOTHING)}>
        <CloseIcon />
      </IconButton>
    </div>
  );
}
