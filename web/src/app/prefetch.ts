import type { QueryClient } from "@tanstack/react-query";
import { BOARDS_QUERY } from "../api/boards.ts";
import { SESSION_QUERY } from "../api/session.ts";
import { tilesQuery } from "../api/tiles/tiles.ts";
import { zonesQuery } from "../api/zones.ts";
import { loadBoard } from "./lazy-board-route.ts";
import { getLastBoard } from "../shell/last-board.ts";

/** Starts the requests of the first page in parallel, before rendering. */
export function prefetchInitialData(client: QueryClient): void {
  const { pathname } = window.location;
  const boardId = /^\/b\/([\w-]+)$/.exec(pathname)?.[1];
  void client.prefetchQuery(SESSION_QUERY);
  // Without a last board, there may be no session yet, and requests would fail.
  const lastBoardId = getLastBoard();
  if (lastBoardId === null || (pathname !== "/" && boardId !== lastBoardId)) return;
  loadBoard();
  void client.prefetchQuery(BOARDS_QUERY);
  void client.prefetchQuery(zonesQuery(lastBoardId));
  void client.prefetchQuery(tilesQuery(lastBoardId));
}
