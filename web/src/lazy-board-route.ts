import { lazyView } from "./lazy/lazy-view.tsx";
import { defineLazyModule } from "./lazy/lazy-module.ts";

const BOARD = defineLazyModule("src/board-route.tsx", async () => (await import("./board-route.tsx")).BoardRoute);

/** Starts loading the board page. */
export const loadBoard = (): void => void BOARD.load();

export const BoardRoute = lazyView(BOARD, { name: "The board", placement: "page" });
