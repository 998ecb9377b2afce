import { type BoardContext, withWholeColumn } from "../board-context.ts";
import { selectAll } from "../model/selection.ts";
import { isPlaceholder } from "../model/tile.ts";

/** Adds all tiles of a column to the selection. */
export const selectColumn = (board: BoardContext, columnId: string): void =>
  withWholeColumn(board, columnId, ({ tiles }) => {
    const ids = tiles.flatMap(({ id }) => (isPlaceholder(id) ? [] : [id]));
    board.selection.set((selection) => selectAll(selection, ids));
  });
