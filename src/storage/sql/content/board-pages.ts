import type { Board } from "#domain/core/board.ts";
import type { BoardCursor } from "#domain/core/board-store.ts";
import type { Dialect } from "../driver.ts";
import { flag, Mapping, plain, plainFields } from "../mapping.ts";
import { all, type Params, type Unit } from "../unit.ts";

export const BOARD_FIELDS = {
  ...plainFields("id", "businessId", "name", "slug", "version", "createdAt", "updatedAt"),
  isDefault: flag,
};
export const BOARDS = new Mapping<Board>(BOARD_FIELDS);
const POSITIONS = new Mapping<{ readonly number: number; readonly isDefault: boolean }>({ number: plain, isDefault: flag });

/** A business with fewer boards is found by its index, and sorted. */
const MAX_SORTED_BOARDS = 500;
const BEFORE_ALL = -1;

/** Lists at most `limit` boards after the cursor: the default board first, then by creation. */
export function* listBoardPage(dialect: Dialect, businessId: string, after: BoardCursor | null, limit: number): Unit<Board[]> {
  const isDefault = "board WHERE business_id = @businessId AND deleted_at IS NULL AND is_default = TRUE";
  const first = after === null ? yield* BOARDS.list(isDefault, { businessId }) : [];
  const { condition, params } =
    after === null ? { condition: "number > @number", params: { number: BEFORE_ALL } } : yield* startAfter(businessId, after);
  const column = (yield* isLarge(businessId)) ? dialect.unindexed("business_id") : "business_id";
  const rest = yield* BOARDS.list(
    `board WHERE ${column} = @businessId AND ${condition} AND deleted_at IS NULL AND is_default = FALSE ORDER BY number LIMIT @limit`,
    { businessId, ...params, limit: limit - first.length },
  );
  return [...first, ...rest];
}

/** Returns the condition on boards after the cursor. After an erased board, those that were created since. */
function* startAfter(businessId: string, { id, createdAt }: BoardCursor): Unit<{ readonly condition: string; readonly params: Params }> {
  const board = yield* POSITIONS.find("board WHERE business_id = @businessId AND id = @id", { businessId, id });
  if (board === null) return { condition: "created_at >= @createdAt", params: { createdAt } };
  return { condition: "number > @number", params: { number: board.isDefault ? BEFORE_ALL : board.number } };
}

/** Whether the business has so many boards that reading all of them for each page would be slow. */
function* isLarge(businessId: string): Unit<boolean> {
  const sql = "SELECT 1 FROM board WHERE business_id = @businessId LIMIT @limit";
  return (yield* all<object>(sql, { businessId, limit: MAX_SORTED_BOARDS })).length === MAX_SORTED_BOARDS;
}
