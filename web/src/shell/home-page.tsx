import { Redirect } from "wouter";
import { getErrorMessage } from "../api/client/client.ts";
import { useBoards } from "../api/boards.ts";
import { Button } from "../ui/controls/button.tsx";
import { EmptyState } from "../ui/states/empty-state.tsx";
import { BoardIcon } from "../ui/icons/icons.ts";
import { Loading } from "../ui/states/loading.tsx";
import { getLastBoard } from "./last-board.ts";
import { Shell } from "./shell.tsx";

/** Redirects to the last opened board, or to the default board. */
export function HomePage() {
  const { data: boards, error, refetch, isFetching } = useBoards();
  const lastBoardId = getLastBoard();
  const board = boards?.find(({ id }) => id === lastBoardId) ?? boards?.[0];
  if (board !== undefined) return <Redirect to={`/b/${board.id}`} replace />;
  return (
    <Shell>
      <main>
        {error !== null && (
          <EmptyState
            isPage
            title="The boards could not be loaded"
            icon={<BoardIcon />}
            actions={
              <Button onClick={() => void refetch()} isBusy={isFetching}>
                Try again
              </Button>
            }
          >
            {getErrorMessage(error)}
          </EmptyState>
        )}
        {error === null &&
          (boards === undefined ? (
            <Loading label="Loading the boards" />
          ) : (
            <EmptyState isPage title="No boards yet" icon={<BoardIcon />}>
              Ask an admin to create one.
            </EmptyState>
          ))}
      </main>
    </Shell>
  );
}
