import { LRUCache } from "lru-cache";

/** A board, by its business. */
export type BoardRef = { readonly businessId: string; readonly boardId: string };

/** A tile that waits, at its place in its board's order. */
export type WaitingTile = BoardRef & { readonly tileId: string; readonly sequence: number };

/** What is read to find out whose turn it is. */
export type WaitingTiles = {
  /** The first board behind this one, or of all where it is null, that has tiles waiting. */
  boardAfter(place: BoardRef | null): BoardRef | undefined | Promise<BoardRef | undefined>;
  /** The board's first tiles behind this sequence that wait. */
  tilesAfter(board: BoardRef, sequence: number, limit: number): readonly WaitingTile[] | Promise<readonly WaitingTile[]>;
};

export type Turns = {
  /** At most `limit` waiting tiles: one of each board, then a second of each, and so on. */
  next(room: WaitingTiles, limit: number): Promise<WaitingTile[]>;
  /** Notes that a tile had its turn: the next goes to another board, and there to the tile behind it. */
  took(tile: WaitingTile): void;
};

const nameOf = ({ businessId, boardId }: BoardRef): string => `${businessId} ${boardId}`;

/** Boards whose place is remembered; one that is forgotten begins with its first waiting tile again. */
const MAX_BOARDS = 10_000;

/** Gives turns to boards, and to a board's tiles, so that neither a full board nor a long tile holds up the others. */
export function createTurns(): Turns {
  let last: BoardRef | null = null;
  /** The last tile that had a turn, for boards on which more may wait behind it. */
  const reached = new LRUCache<string, number>({ max: MAX_BOARDS });

  async function boardsInTurn(room: WaitingTiles, limit: number): Promise<BoardRef[]> {
    const boards = new Map<string, BoardRef>();
    for (let from = last, isAround = last === null; boards.size < limit;) {
      const board = await room.boardAfter(from);
      if (board === undefined) {
        if (isAround) break;
        [from, isAround] = [null, true];
        continue;
      }
      if (boards.has(nameOf(board))) break;
      boards.set(nameOf(board), board);
      from = board;
    }
    return [...boards.values()];
  }

  async function tilesInTurn(room: WaitingTiles, board: BoardRef, limit: number): Promise<readonly WaitingTile[]> {
    const from = reached.peek(nameOf(board));
    const behind = await room.tilesAfter(board, from ?? -1, limit);
    if (from === undefined || behind.length >= limit) return behind;
    reached.delete(nameOf(board));
    const first = await room.tilesAfter(board, -1, limit - behind.length);
    return [...behind, ...first.filter(({ tileId }) => behind.every((tile) => tile.tileId !== tileId))];
  }

  return {
    async next(room, limit) {
      const boards = await boardsInTurn(room, limit);
      const each = Math.ceil(limit / Math.max(1, boards.length));
      const lists: (readonly WaitingTile[])[] = [];
      for (const board of boards) lists.push(await tilesInTurn(room, board, each));
      const rounds = Array.from({ length: each }, (_, round) => lists.flatMap((list) => list[round] ?? []));
      return rounds.flat().slice(0, limit);
    },
    took(tile) {
      last = { businessId: tile.businessId, boardId: tile.boardId };
      reached.set(nameOf(tile), tile.sequence);
    },
  };
}
