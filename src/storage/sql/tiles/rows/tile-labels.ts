import { listLabels } from "#domain/labels/labels.ts";
import type { TileOptions } from "#domain/content/tile-options.ts";
import type { Dialect } from "../../driver.ts";
import { boardColumns, boardRowColumns } from "../../search/board-index.ts";
import { run, type Unit } from "../../unit.ts";

/** What the labels of a tile are made of, and how the index refers to the tile: by its board and its sequence number. */
export type Labelled = Pick<TileOptions, "tags" | "properties"> & {
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
    removed.push(...before.filter(({ label }) => after.every((row) => row.label !== label)));
    added.push(...after.filter(({ label }) => before.every((row) => row.label !== label)));
  }
  yield* removeRows(dialect, removed);
  yield* addRows(dialect, added);
}

/** Removes the labels of tiles that are erased. */
export const removeLabels = (dialect: Dialect, tiles: readonly Labelled[]): Unit<void> => removeRows(dialect, tiles.flatMap(toRows));

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
    `DELETE FROM tile_label WHERE (${boardColumns(dialect)}, label, sequence) IN (
       SELECT ${boardRowColumns(dialect)}, r.label, r.sequence FROM ${withBoards(dialect)})`,
    { rows: JSON.stringify(rows) },
  );
}
