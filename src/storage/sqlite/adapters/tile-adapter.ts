import type { TileAdapter } from "../../sql/tiles/tile-adapter.ts";
import { INSERTED_COLUMNS } from "../../sql/tiles/rows/tile-columns.ts";
import { get, run } from "../../sql/unit.ts";
import { SQLITE } from "../engine/driver.ts";

const INSERT = `INSERT INTO tile (sequence, sort_order, ${INSERTED_COLUMNS.join(", ")})
  VALUES (@sequence, @sequence, ${INSERTED_COLUMNS.map((name) => `@${name}`).join(", ")})`;
const INSERT_LABELS = `INSERT INTO tile_label (board_number, label, sequence) SELECT @number, value, @sequence FROM json_each(@labels)`;
const RECORD = `INSERT INTO event (business_id, board_id, event, payload, properties, at)
  VALUES (@business_id, @board_id, 'tile.created', @payload, @properties, @created_at)`;

export const tileAdapter: TileAdapter = {
  dialect: SQLITE,

  *insertWithSequence({ businessId, id }, columns, labels) {
    const counter = yield* get<{ sequence: number; number: number }>(
      `UPDATE board SET revision = revision + 1, next_sequence = next_sequence + 1
       WHERE business_id = @businessId AND id = @id AND deleted_at IS NULL RETURNING next_sequence - 1 AS sequence, number`,
      { businessId, id },
    );
    if (counter === undefined) return undefined;
    const { sequence, number } = counter;
    columns["sequence"] = sequence;
    yield* run(INSERT, columns);
    if (labels.length > 0) yield* run(INSERT_LABELS, { number, sequence, labels });
    yield* run(RECORD, columns);
    return sequence;
  },
};
