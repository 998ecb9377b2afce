import type { TileAdapter } from "../../sql/tiles/tile-adapter.ts";
import { INSERTED_COLUMNS } from "../../sql/tiles/rows/tile-columns.ts";
import { get } from "../../sql/unit.ts";
import { POSTGRES } from "../engine/driver.ts";

const COUNTER = `counter AS (
    UPDATE board SET revision = revision + 1, next_sequence = next_sequence + 1
    WHERE business_id = @businessId AND id = @boardId AND deleted_at IS NULL RETURNING next_sequence - 1 AS sequence, number),
  recorded AS (
    INSERT INTO event (business_id, board_id, event, payload, properties, at)
    SELECT @businessId, @boardId, 'tile.created', @payload, @properties, @created_at FROM counter)`;
const LABELS = `labels AS (
    INSERT INTO tile_label (business_id, board_number, label, sequence)
    SELECT @businessId, number, label, sequence FROM counter CROSS JOIN unnest(@labels::text[]) AS label)`;
const COUNTED_TILE = `tile (sequence, sort_order, ${INSERTED_COLUMNS.join(", ")})
  SELECT sequence, sequence, ${INSERTED_COLUMNS.map((name) => `@${name}`).join(", ")} FROM counter RETURNING sequence`;
// One statement, since each statement is a round trip.
const INSERT = `WITH ${COUNTER} INSERT INTO ${COUNTED_TILE}`;
const INSERT_WITH_LABELS = `WITH ${COUNTER}, ${LABELS} INSERT INTO ${COUNTED_TILE}`;

export const tileAdapter: TileAdapter = {
  dialect: POSTGRES,

  *insertWithSequence({ businessId, id }, columns, labels) {
    const params = { ...columns, businessId, boardId: id };
    const row = yield* labels.length === 0
      ? get<{ sequence: number }>(INSERT, params)
      : get<{ sequence: number }>(INSERT_WITH_LABELS, { ...params, labels });
    return row?.sequence;
  },
};
