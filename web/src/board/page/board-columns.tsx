import type { ZoneSummary } from "@tessera-board/sdk";
import { useMemo, useState } from "react";
import { useBoard } from "../board-context.ts";
import type { BoardSlots } from "../board-slots.ts";
import { DragLayer } from "../drag/drag-layer.tsx";
import type { BoardTile } from "../model/tile.ts";
import { DEFAULT_VIEW, isFiltered, type View } from "../model/view.ts";
import { ColumnRow } from "./column-row.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { Toolbar } from "./toolbar.tsx";
import type { BoardColumns as Columns } from "./use-board-columns.ts";

type BoardColumnsProps = {
  readonly name: string;
  readonly zones: readonly ZoneSummary[];
  readonly tiles: readonly BoardTile[];
  readonly columns: Columns;
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly isAddingZone: boolean;
  readonly onAddZone: (isAdding: boolean) => void;
  readonly isAskOpen: boolean;
  readonly slots: Pick<BoardSlots, "renderOffer" | "renderBanner">;
};

/** The toolbar and the columns of a board. */
export function BoardColumns({ name, zones, tiles, columns, view, isAddingZone, isAskOpen, slots, ...props }: BoardColumnsProps) {
  const { onView, onAddZone } = props;
  const { actions } = useBoard();
  const [isFilterOpen, setFilterOpen] = useState(false);
  const failed = useMemo(() => tiles.filter(({ status }) => status === "failed").map(({ id }) => id), [tiles]);
  const isEmpty = zones.length === 0 && columns.allTiles.length === 0;
  return (
    <div className="relative flex min-w-0 flex-1 flex-col">
      <h1 className="sr-only">{name}</h1>
      {slots.renderBanner({ isEmpty, isAskOpen })}
      {!isEmpty && (
        <Toolbar
          view={view}
          onChange={onView}
          failed={failed.length}
          onRetryFailed={() => actions.retry(failed)}
          isOpen={isFilterOpen}
          onAddZone={() => onAddZone(true)}
        />
      )}
      <DragLayer>
        <ColumnRow
          columns={columns.columns}
          isFiltered={isFiltered(columns.shownView)}
          isEmpty={isEmpty}
          renderOffer={slots.renderOffer}
          onShowAll={() => onView({ ...DEFAULT_VIEW, sorting: view.sorting })}
          onFilter={() => setFilterOpen((isOpen) => !isOpen)}
          isAddingZone={isAddingZone}
          onAddZone={onAddZone}
        />
      </DragLayer>
      <SelectionBar />
    </div>
  );
}
