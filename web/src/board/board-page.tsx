import { hasStatus, getErrorMessage } from "../api/client/client.ts";
import { useLiveBoard } from "../api/live-board.ts";
import { useTiles } from "../api/tiles/tiles.ts";
import { useZones } from "../api/zones.ts";
import { Button, buttonClasses } from "../ui/controls/button.tsx";
import { EmptyState } from "../ui/states/empty-state.tsx";
import { BoardIcon } from "../ui/icons/icons.ts";
import type { BoardSlots } from "./board-slots.ts";
import { BoardView } from "./page/board-view.tsx";
import { BoardSkeleton } from "./page/board-skeleton.tsx";

/** A board with its zones as columns of tiles, kept in sync with the server. */
export function BoardPage({ boardId, ...slots }: { readonly boardId: string } & BoardSlots) {
  const zones = useZones(boardId);
  const tiles = useTiles(boardId);
  useLiveBoard(boardId);

  if (zones.data !== undefined && tiles.data !== undefined)
    return <BoardView key={boardId} boardId={boardId} zones={zones.data} tiles={tiles.data} slots={slots} />;
  const error = zones.error ?? tiles.error;
  if (error === null) return <BoardSkeleton />;
  if (hasStatus(error, 404))
    return (
      <main>
        <EmptyState
          isPage
          title="This board does not exist"
          icon={<BoardIcon />}
          actions={
            <a href="/" className={buttonClasses("primary")}>
              Go to your board
            </a>
          }
        >
          It was deleted, or the address is wrong. Deleted boards can be restored for 30 days under{" "}
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
        title="The board could not be loaded"
        icon={<BoardIcon />}
        actions={
          <Button onClick={again} isBusy={zones.isFetching || tiles.isFetching}>
            Try again
          </Button>
        }
      >
        {getErrorMessage(error)}
      </EmptyState>
    </main>
  );
}
