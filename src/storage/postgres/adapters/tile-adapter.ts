import type { TileAdapter } from "../../sql/tiles/tile-adapter.ts";
import { INSERTED_COLUMNS } from "../../sql/tiles/rows/tile-columns.ts";
import { get } from "../../sql/unit.ts";
import { POSTGRES } from "../engine/driver.ts";

/** One statement, since each statement is a round trip. */
const INSERT = `WITH counter AS (
    UPDATE board SET revision = revision + 1, next_sequence = next_sequence + 1
    WHERE business_id = @businessId AND id = @boardId AND deleted_at IS NULL RETURNING next_sequence - 1 AS sequence),
  recorded AS (
    INSERT INTO event (business_id, board_id, event, payload, at)
    SELECT @businessId, @boardId, 'tile.created', @payload, @created_at FROM counter)
  INSERT INTO tile (sequence, sort_order, ${INSERTED_COLUMNS.join(", ")})
  SELECT sequence, sequence, ${INSERTED_COLUMNS.map((name) => `@${name}`).join(", ")} FROM counter RETURNING sequence`;

export const tileAdapter: TileAdapter = {
  dialect: POSTGRES,

  *insertWithSequence({ businessId, id }, columns) {
    const row = yield* get<{ sequence: number }>(INSERT, { ...columns, businessId, boardId: id });
    return row?.sequence;
  },
};
