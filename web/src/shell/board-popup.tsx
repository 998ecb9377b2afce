import { Popover } from "@base-ui/react/popover";
import type { RefObject } from "react";
import { PlusIcon } from "../ui/icons/icons.tsx";
import { BoardList, type BoardListProps } from "./board-list.tsx";

export type BoardPopupProps = BoardListProps & {
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
  /** Missing for whoever may make no board. */
  readonly onNew: (() => void) | undefined;
};

/** The boards under the button that has the name of the current one. */
export function BoardPopup({ anchor, boards, currentId, onChoose, onClose, onNew }: BoardPopupProps) {
  return (
    <Popover.Root
      open
      onOpenChange={(isOpen, { event }) => {
        // A press on the button closes it by itself.
        const isOnButton = event.target instanceof Node && anchor.current?.contains(event.target);
        if (!isOpen && !isOnButton) onClose();
      }}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} align="start" sideOffset={4} className="z-50">
          <Popover.Popup
            aria-label="Boards"
            finalFocus={anchor}
            className="popup-box animate-rise flex max-h-[min(26rem,var(--available-height))] w-72 max-w-[calc(100vw-1rem)] flex-col p-1"
          >
            <BoardList boards={boards} currentId={currentId} onChoose={onChoose} />
            {onNew !== undefined && (
              <div className="mt-1 border-t border-line pt-1">
                <button
                  type="button"
                  onClick={onNew}
                  className="flex min-h-9 w-full items-center gap-2.5 rounded-md px-2.5 text-left hover:bg-hover pointer-coarse:min-h-11"
                >
                  <PlusIcon />
                  New board
                </button>
              </div>
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
