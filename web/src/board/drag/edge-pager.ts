/** How long a tile is held at the edge of the screen until the next zone is shown, in milliseconds. */
export const HOLD_MS = 700;

/** The distance from the edge within which a tile is held at it, in pixels. */
const EDGE_PX = 32;

type Edges = { readonly left: number; readonly right: number };

/** Turns to the next zone each time that a dragged tile was held at an edge for `HOLD_MS`. */
export type EdgePager = {
  /** Called with the position of the pointer, in the coordinates of the edges. */
  readonly move: (x: number, edges: Edges) => void;
  readonly stop: () => void;
};

export function createEdgePager(turn: (step: -1 | 1) => void): EdgePager {
  let heldAt: -1 | 0 | 1 = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const hold = (edge: -1 | 0 | 1): void => {
    if (edge === heldAt) return;
    clearInterval(timer);
    heldAt = edge;
    if (edge !== 0) timer = setInterval(() => turn(edge), HOLD_MS);
  };
  return {
    move: (x, { left, right }) => hold(x < left + EDGE_PX ? -1 : x > right - EDGE_PX ? 1 : 0),
    stop: () => hold(0),
  };
}
