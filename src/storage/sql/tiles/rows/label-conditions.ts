import { type LabelFilter, groupLabels } from "#domain/labels/labels.ts";
import type { BoardKey, Dialect } from "../../driver.ts";
import { isOfNamedBoard } from "../../search/board-index.ts";
import { get, type Params, type Unit } from "../../unit.ts";

/** How a statement finds the tiles `t` that meet a filter by labels. */
export type LabelPlan = {
  /** The tables after FROM: the tile `t`, and before it the labels `l` if they are read first. */
  readonly from: string;
  /** Conditions that follow others, each after AND; empty without labels. */
  readonly where: string;
  readonly params: Params;
  /** The column with the sequence of a tile, in whose order rows are read. */
  readonly sequence: "l.sequence" | "t.sequence";
};

/**
 * What a statement reads first: the rarest label, which is read in the order of creation; the rarest label if few tiles have it, and
 * otherwise tiles in an order of their own; as before, without a join; or always tiles.
 */
export type LabelStrategy = "label" | "rare label" | "rare list" | "tiles";

/**
 * Fewer tiles are read and sorted in less than a millisecond. With more, a page of 50 is found after 2,500 tiles of a board of 50,000, if
 * they are spread evenly.
 */
const MAX_RARE = 1_000;

/** A group of labels, of which a tile has one: the name of its parameter, and whether it has several labels. */
type Group = { readonly name: string; readonly isSeveral: boolean };

/** Returns how to find the tiles of a board by labels. Counts the tiles with each label if the plan depends on it. */
export function* planLabels(dialect: Dialect, board: BoardKey, filter: LabelFilter, strategy: LabelStrategy): Unit<LabelPlan> {
  const found = groupLabels(filter).map((labels, i) => ({ name: `labels${i}`, isSeveral: labels.length !== 1, labels }));
  const params: Params = Object.fromEntries(found.map(({ name, isSeveral, labels }) => [name, isSeveral ? labels : (labels[0] ?? "")]));
  const first = yield* chooseFirst(dialect, { ...params, businessId: board.businessId, boardId: board.id }, found, strategy);
  const where = found.map((group) => (group === first ? "" : ` AND ${hasLabel(dialect, group)}`)).join("");
  if (first === null) return { from: "tile t", where, params, sequence: "t.sequence" };
  const sequences = `SELECT ${first.isSeveral ? "DISTINCT " : ""}l.sequence FROM tile_label l WHERE ${isInGroup(dialect, first)}`;
  if (strategy === "rare list")
    return { from: "tile t", where: `${where} AND t.sequence IN (${sequences})`, params, sequence: "t.sequence" };
  // SQLite reads the tables of a CROSS JOIN in this order. It merges the subquery unless that is DISTINCT.
  return { from: `(${sequences}) AS l CROSS JOIN tile t`, where: ` AND t.sequence = l.sequence${where}`, params, sequence: "l.sequence" };
}

/** Returns the condition that the label `l` of the board is in the group. */
const isInGroup = (dialect: Dialect, { name, isSeveral }: Group): string =>
  `${isOfNamedBoard(dialect, "l")} AND ${isSeveral ? dialect.isAnyOf("l.label", name) : `l.label = @${name}`}`;

const hasLabel = (dialect: Dialect, group: Group): string =>
  `EXISTS (SELECT 1 FROM tile_label l WHERE ${isInGroup(dialect, group)} AND l.sequence = t.sequence)`;

/** Returns the group whose labels a statement reads first; null if it reads tiles first. */
function* chooseFirst<G extends Group>(dialect: Dialect, params: Params, groups: readonly G[], strategy: LabelStrategy): Unit<G | null> {
  if (strategy === "tiles") return null;
  const [only] = groups;
  if (only === undefined || (groups.length === 1 && strategy === "label")) return only ?? null;
  const counts = groups.map(
    (group) =>
      `(SELECT count(*) FROM (SELECT 1 FROM tile_label l WHERE ${isInGroup(dialect, group)} LIMIT ${MAX_RARE}) AS c) AS ${group.name}`,
  );
  const row = (yield* get<Record<string, number>>(`SELECT ${counts.join(", ")}`, params)) ?? {};
  const sizes = groups.map(({ name }) => row[name] ?? 0);
  const least = Math.min(...sizes);
  return strategy !== "label" && least >= MAX_RARE ? null : (groups[sizes.indexOf(least)] ?? null);
}
