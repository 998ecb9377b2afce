import type { BoardContext, DropTarget } from "../board-context.ts";

/** The drop target at a point of the window, read from the DOM so that it is correct while columns scroll; null outside. */
export function findDropTarget(board: BoardContext, x: number, y: number): DropTarget | null {
  const under = document.elementsFromPoint(x, y);
  const columnId = closest(under, "[data-column]")?.dataset["column"];
  const column = board.columns().find(({ id }) => id === columnId);
  if (column === undefined) return null;
  const end = { columnId: column.id, beforeId: null };
  if (!board.isManualOrder()) return end;
  const card = closest(under, "[data-tile]") ?? findNearestCard(columnId ?? "", y);
  const at = column.tiles.findIndex(({ id }) => id === card?.dataset["tile"]);
  if (card === undefined || at < 0) return end;
  const { top, height } = card.getBoundingClientRect();
  const isBefore = y < top + height / 2;
  return { columnId: column.id, beforeId: column.tiles[isBefore ? at : at + 1]?.id ?? null };
}

const closest = (elements: readonly Element[], selector: string): HTMLElement | undefined => {
  for (const element of elements) {
    const found = element.closest<HTMLElement>(selector);
    if (found !== null) return found;
  }
  return undefined;
};

/** The rendered card of a column nearest to a height, for points between cards, above the first or below the last. */
function findNearestCard(columnId: string, y: number): HTMLElement | undefined {
  const cards = document.querySelectorAll<HTMLElement>(`[data-column="${CSS.escape(columnId)}"] [data-tile]`);
  let nearest: HTMLElement | undefined;
  let minDistance = Infinity;
  for (const card of cards) {
    const { top, bottom } = card.getBoundingClientRect();
    const distance = y < top ? top - y : y > bottom ? y - bottom : 0;
    if (distance < minDistance) [nearest, minDistance] = [card, distance];
  }
  return nearest;
}
