import { Popover } from "@base-ui/react/popover";
import type { RefObject } from "react";
import { PlusIcon } from "../ui/icons/icons.ts";
import { BoardList, type BoardListProps } from "./board-list.tsx";

export type BoardPopupProps = BoardListProps & {
  readonly anchor: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
  /** Undefined for members who cannot create boards. */
  readonly onNew: (() => void) | undefined;
};

/** The popup below the board switcher. */
export function BoardPopup({ anchor, boards, currentId, onChoose, onClose, onNew }: BoardPopupProps) {
  return (
    <Popover.Root
      open
      onOpenChange={(isOpen, { event }) => {
        // The button closes the popup itself.
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
