import type { ReactNode } from "react";
import { isStatus, sentenceOf } from "../api/client/client.ts";
import { useLiveBoard } from "../api/live.ts";
import { useTiles } from "../api/tiles/tiles.ts";
import { useZones } from "../api/zones.ts";
import type { Quote } from "../text/quote.ts";
import { Button, buttonClasses } from "../ui/controls/button.tsx";
import { EmptyState } from "../ui/states/empty-state.tsx";
import { BoardIcon } from "../ui/marks/icons.tsx";
import { BoardView } from "./page/board-view.tsx";
import { BoardSkeleton } from "./page/board-skeleton.tsx";

/** What stands beside the board and comes from other rooms. */
export type BoardSlots = {
  readonly renderReader: (slot: { readonly tileId: string; readonly quote?: Quote; readonly onClose: () => void }) => ReactNode;
  readonly renderAsk: (slot: {
    readonly boardId: string;
    /** Tiles to make something of; null where the panel was opened by itself. */
    readonly chosen: readonly string[] | null;
    readonly onOpenTile: OpenTile;
    readonly onClose: () => void;
  }) => ReactNode;
  readonly renderPalette: (slot: {
    readonly boardId: string;
    /** The list of shortcuts in place of the search. */
    readonly isHelp: boolean;
    /** What was typed while the search was loading; for its field to begin with, once it has the focus. */
    readonly takeTyped: () => string;
    readonly onOpenTile: OpenTile;
    readonly onClose: () => void;
  }) => ReactNode;
};

export type OpenTile = (tileId: string, quote?: Quote) => void;

/** A board: its zones as columns of tiles, kept as they are on the server. */
export function BoardPage({ boardId, ...slots }: { readonly boardId: string } & BoardSlots) {
  const zones = useZones(boardId);
  const tiles = useTiles(boardId);
  useLiveBoard(boardId);

  if (zones.data !== undefined && tiles.data !== undefined)
    return <BoardView key={boardId} boardId={boardId} zones={zones.data} tiles={tiles.data} slots={slots} />;
  const error = zones.error ?? tiles.error;
  if (error === null) return <BoardSkeleton />;
  if (isStatus(error, 404))
    return (
      <main>
        <EmptyState
          isPage
          title="This board is not there any more"
          icon={<BoardIcon />}
          actions={
            <a href="/" className={buttonClasses("primary")}>
              Go to your board
            </a>
          }
        >
          It was deleted, or the address has a slip in it. Deleted boards can be restored for 30 days under{" "}
          <a href="/settings/boards" className="text-accent underline">
            Settings, Boards
          </a>
          .
        </EmptyState>
      </main>
    );
  const again = () => void Promise.all([zones.refetch(), tiles.refetch()]);
  return (
    <main>
      <EmptyState
        isPage
        title="This board can't be shown"
        icon={<BoardIcon />}
        actions={
          <Button onClick={again} isBusy={zones.isFetching || tiles.isFetching}>
            Try again
          </Button>
        }
      >
        {sentenceOf(error)}
      </EmptyState>
    </main>
  );
}
