import { LRUCache } from "lru-cache";

export type BoardRef = { readonly businessId: string; readonly boardId: string };

/** A tile that waits for background work. `sequence` is its position in the order of its board. */
export type QueuedTile = BoardRef & { readonly tileId: string; readonly sequence: number };

/** Reads the waiting tiles from the database. */
export type QueuedTiles = {
  /** Returns the first board after this one that has waiting tiles; null starts with the first board. */
  boardAfter(board: BoardRef | null): BoardRef | undefined | Promise<BoardRef | undefined>;
  /** Returns the first waiting tiles of the board after this sequence. */
  tilesAfter(board: BoardRef, sequence: number, limit: number): readonly QueuedTile[] | Promise<readonly QueuedTile[]>;
};

/** Schedules work round-robin across boards, and across the tiles of a board, so that neither a full board nor a long tile delays the others. */
export type RoundRobin = {
  /** Returns at most `limit` waiting tiles: one of each board, then a second of each, and so on. */
  next(waiting: QueuedTiles, limit: number): Promise<QueuedTile[]>;
  /** Records that this tile was processed, so that `next` continues with the next board, and on this board with the next tile. */
  recordTurn(tile: QueuedTile): void;
};

const toBoardKey = ({ businessId, boardId }: BoardRef): string => `${businessId} ${boardId}`;

/** Boards whose position is remembered; other boards start with their first waiting tile again. */
const MAX_BOARDS = 10_000;

export function createRoundRobin(): RoundRobin {
  let lastBoard: BoardRef | null = null;
  /** The sequence of the last processed tile, for boards on which more tiles may wait after it. */
  const positions = new LRUCache<string, number>({ max: MAX_BOARDS });

  async function nextBoards(waiting: QueuedTiles, limit: number): Promise<BoardRef[]> {
    const boards = new Map<string, BoardRef>();
    for (let previous = lastBoard, hasWrapped = lastBoard === null; boards.size < limit;) {
      const board = await waiting.boardAfter(previous);
      if (board === undefined) {
        if (hasWrapped) break;
        [previous, hasWrapped] = [null, true];
        continue;
      }
      if (boards.has(toBoardKey(board))) break;
      boards.set(toBoardKey(board), board);
      previous = board;
    }
    return [...boards.values()];
  }

  async function nextTiles(waiting: QueuedTiles, board: BoardRef, limit: number): Promise<readonly QueuedTile[]> {
    const position = positions.peek(toBoardKey(board));
    const after = await waiting.tilesAfter(board, position ?? -1, limit);
    if (position === undefined || after.length >= limit) return after;
    positions.delete(toBoardKey(board));
    const first = await waiting.tilesAfter(board, -1, limit - after.length);
    return [...after, ...first.filter(({ tileId }) => after.every((tile) => tile.tileId !== tileId))];
  }

  return {
    async next(waiting, limit) {
      const boards = await nextBoards(waiting, limit);
      const rounds = Math.ceil(limit / Math.max(1, boards.length));
      const lists: (readonly QueuedTile[])[] = [];
      for (const board of boards) lists.push(await nextTiles(waiting, board, rounds));
      const tiles = Array.from({ length: rounds }, (_, round) => lists.flatMap((list) => list[round] ?? [])).flat();
      return tiles.slice(0, limit);
    },
    recordTurn(tile) {
      lastBoard = { businessId: tile.businessId, boardId: tile.boardId };
      positions.set(toBoardKey(tile), tile.sequence);
    },
  };
}
