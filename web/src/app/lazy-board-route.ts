import { lazyView } from "../ui/lazy/lazy-view.tsx";
import { defineLazyModule } from "../ui/lazy/lazy-module.ts";

const BOARD = defineLazyModule("src/app/board-route.tsx", async () => (await import("./board-route.tsx")).BoardRoute);

/** Starts loading the board page. */
export const loadBoard = (): void => void BOARD.load();

export const BoardRoute = lazyView(BOARD, { name: "The board", placement: "page" });
