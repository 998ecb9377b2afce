import { listLabels } from "#domain/labels/labels.ts";
import { applyLabelAction, type LabelAction, type Labels } from "#domain/labels/label-action.ts";
import type { BoardKey, Dialect } from "../../driver.ts";
import { EVENT_TILES, insertTileEvents } from "../../events/record.ts";
import { boardColumns, boardRowColumns } from "../../search/board-index.ts";
import { run, type Unit } from "../../unit.ts";
import { STAMP_REVISION } from "./tile-columns.ts";

/** What the labels of a tile are made of, and how the index refers to the tile: by its board and its sequence number. */
export type Labelled = Labels & {
  readonly businessId: string;
  readonly boardId: string;
  readonly sequence: number;
};
type LabelRow = { readonly business_id: string; readonly board_id: string; readonly label: string; readonly sequence: number };

const COLUMNS = { business_id: "text", board_id: "text", label: "text", sequence: "bigint" } as const;

/** Writes the labels of tiles whose tags or properties were changed: one statement for those that go, and one for those that come. */
export function* changeLabels(dialect: Dialect, changes: readonly { readonly previous: Labelled; readonly next: Labelled }[]): Unit<void> {
  const removed: LabelRow[] = [];
  const added: LabelRow[] = [];
  for (const { previous, next } of changes) {
    if (previous.tags === next.tags && previous.properties === next.properties) continue;
    const before = toRows(previous);
    const after = toRows(next);
    removed.push(...without(before, after));
    added.push(...without(after, before));
  }
  yield* removeRows(dialect, removed);
  yield* addRows(dialect, added);
}

/** Returns the rows whose labels the others do not have. A tile can have thousands, so each is looked up. */
function without(rows: readonly LabelRow[], others: readonly LabelRow[]): readonly LabelRow[] {
  const labels = new Set(others.map(({ label }) => label));
  return rows.filter(({ label }) => !labels.has(label));
}

/** Removes the labels of tiles that are erased. */
export const removeLabels = (dialect: Dialect, tiles: readonly Labelled[]): Unit<void> => removeRows(dialect, tiles.flatMap(toRows));

/** Changes the tags or properties of tiles of a board. The board must be touched before. */
export function* relabelTiles(
  dialect: Dialect,
  { businessId, id: boardId }: BoardKey,
  tiles: readonly (Labels & { readonly id: string; readonly sequence: number })[],
  action: LabelAction,
  now: number,
): Unit<void> {
  const changes = tiles.map((tile) => ({ id: tile.id, ...relabel({ ...tile, businessId, boardId }, action) }));
  const rows = changes.map(({ id, next: { tags, properties } }) => ({ id, tags: toJson(tags), properties: toJson(properties) }));
  const labelled = yield* EVENT_TILES.change(
    // Without MATERIALIZED, SQLite joins all tiles of the business with all rows.
    `WITH labelled AS MATERIALIZED (
       SELECT id, tags, properties FROM ${dialect.rowsOfJson("rows", { id: "text", tags: "text", properties: "text" })} AS r)
     UPDATE tile SET tags = labelled.tags, properties = labelled.properties, version = version + 1, updated_at = @now, ${STAMP_REVISION}
     FROM labelled WHERE tile.business_id = @businessId AND tile.id IN (SELECT id FROM labelled) AND tile.id = labelled.id`,
    { now, businessId, rows: JSON.stringify(rows) },
  );
  yield* changeLabels(dialect, changes);
  yield* insertTileEvents(dialect, "tile.updated", { businessId, id: boardId }, labelled, now);
}

const relabel = (previous: Labelled, action: LabelAction) => ({
  previous,
  next: { ...previous, ...applyLabelAction(previous, action).next },
});

/** Null stands for nothing, as in `tile-fields.ts`. */
const toJson = (value: object): string | null => (Object.keys(value).length === 0 ? null : JSON.stringify(value));

const toRows = ({ businessId, boardId, sequence, ...tile }: Labelled): readonly LabelRow[] =>
  listLabels(tile).map((label) => ({ business_id: businessId, board_id: boardId, label, sequence }));

/** The rows `@rows` as `r`, with the boards of the tiles as `b`. The index of labels has the key of the search index. */
const withBoards = ({ rowsOfJson }: Dialect): string =>
  `${rowsOfJson("rows", COLUMNS)} AS r JOIN board b ON b.business_id = r.business_id AND b.id = r.board_id`;

function* addRows(dialect: Dialect, rows: readonly LabelRow[]): Unit<void> {
  if (rows.length === 0) return;
  yield* run(
    `INSERT INTO tile_label (${boardColumns(dialect)}, label, sequence)
     SELECT ${boardRowColumns(dialect)}, r.label, r.sequence FROM ${withBoards(dialect)} WHERE TRUE ON CONFLICT DO NOTHING`,
    { rows: JSON.stringify(rows) },
  );
}

function* removeRows(dialect: Dialect, rows: readonly LabelRow[]): Unit<void> {
  if (rows.length === 0) return;
  yield* run(
    // Without MATERIALIZED, PostgreSQL can read all labels of the board for each row.
    `WITH gone AS MATERIALIZED (SELECT ${boardRowColumns(dialect)}, r.label, r.sequence FROM ${withBoards(dialect)})
     DELETE FROM tile_label WHERE (${boardColumns(dialect)}, label, sequence) IN (SELECT * FROM gone)`,
    { rows: JSON.stringify(rows) },
  );
}
