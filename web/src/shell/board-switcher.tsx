import type { Board } from "@tessera-board/sdk";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { lazyView } from "../ui/lazy/lazy-view.tsx";
import { defineLazyModule } from "../ui/lazy/lazy-module.ts";
import { ChevronDownIcon } from "../ui/icons/icons.ts";

const POPUP = defineLazyModule("src/shell/board-popup.tsx", async () => (await import("./board-popup.tsx")).BoardPopup);
const BoardPopup = lazyView(POPUP, { name: "The list of boards", placement: "card" });
const NewBoardDialog = lazyView(
  defineLazyModule("src/shell/new-board-dialog.tsx", async () => (await import("./new-board-dialog.tsx")).NewBoardDialog),
  { name: "The form for a new board", placement: "card" },
);

export type BoardSwitcherProps = {
  readonly board: Board | undefined;
  readonly boards: readonly Board[];
  readonly canCreate: boolean;
};

/** The current board's name, which opens the list of boards. */
export function BoardSwitcher({ board, boards, canCreate }: BoardSwitcherProps) {
  const [shown, setShown] = useState<"list" | "new" | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [, goTo] = useLocation();
  const close = (): void => setShown(null);
  const open = (boardId: string): void => {
    close();
    goTo(`/b/${boardId}`);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={shown === "list"}
        aria-label={board === undefined ? "Boards. Choose one" : `Board: ${board.name}. Choose another`}
        onPointerEnter={() => void POPUP.load()}
        onFocus={() => void POPUP.load()}
        onClick={() => setShown(shown === "list" ? null : "list")}
        className="flex h-9 min-w-0 items-center gap-1.5 rounded-md px-2.5 font-medium transition-colors hover:bg-hover aria-expanded:bg-hover pointer-coarse:h-11"
      >
        <span dir="auto" className="max-w-64 truncate">
          {board?.name ?? "Boards"}
        </span>
        <ChevronDownIcon className="text-quiet" />
      </button>
      {shown === "list" && (
        <BoardPopup
          anchor={button}
          boards={boards}
          currentId={board?.id}
          onChoose={open}
          onClose={close}
          onNew={canCreate ? () => setShown("new") : undefined}
        />
      )}
      {shown === "new" && <NewBoardDialog isOpen onClose={close} onCreated={open} />}
    </>
  );
}
