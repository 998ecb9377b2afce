import { NO_ZONE, type BoardColumn } from "../model/tile.ts";
import { formatCount } from "../../text/plural.ts";

/** Shown in a column without cards: how to add tiles, or that the filters hide them. */
export function ColumnEmpty({ column, isFiltered }: { readonly column: BoardColumn; readonly isFiltered: boolean }) {
  if (isFiltered && (column.total ?? 0) > 0)
    return <p className="px-2 py-6 text-center text-sm text-quiet">{describeHidden(column.total ?? 0)}</p>;
  if (column.id === NO_ZONE) return null;
  return (
    <p className="m-2 rounded-lg border border-dashed border-line px-3 py-6 text-center text-sm text-quiet">
      Nothing here yet. Paste a link above, or drag tiles, links or files here.
    </p>
  );
}

const describeHidden = (total: number): string => `${formatCount(total, "tile")} hidden by the filters.`;
