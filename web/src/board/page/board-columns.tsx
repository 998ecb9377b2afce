import type { ZoneSummary } from "@tessera-board/sdk";
import { useMemo, useState } from "react";
import { useFailedCount } from "../../api/tiles/counts.ts";
import { getSyncState } from "../../api/tiles/tile-cache.ts";
import type { RetryOutcome } from "../../api/tiles/bulk.ts";
import { useRetryFailed } from "../../api/tiles/tiles.ts";
import { formatCount } from "../../text/plural.ts";
import { showToast } from "../../ui/toasts.ts";
import { countTags } from "../../ui/tags/tags.ts";
import { useBoard } from "../board-context.ts";
import type { BoardSlots } from "../board-slots.ts";
import { DragLayer } from "../drag/drag-layer.tsx";
import type { BoardTile } from "../model/tile.ts";
import { DEFAULT_VIEW, isFiltered, needsAllTiles, type View } from "../model/view.ts";
import { ColumnRow } from "./column-row.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { Toolbar } from "./toolbar.tsx";
import type { BoardContent as Columns } from "./use-board-columns.ts";

/** More are found by their chips: a longer list takes long to open. */
const MAX_TAG_OPTIONS = 300;

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
  const { boardId } = useBoard();
  const [isFilterOpen, setFilterOpen] = useState(false);
  const isPartLoaded = getSyncState(tiles).loaded !== null;
  const loadedFailed = useMemo(() => tiles.filter(({ status }) => status === "failed").length, [tiles]);
  const failed = useFailedCount(boardId, isPartLoaded) ?? loadedFailed;
  const { mutate: retryFailed } = useRetryFailed(boardId);
  const tags = useMemo(
    () =>
      countTags(tiles)
        .slice(0, MAX_TAG_OPTIONS)
        .map(({ tag }) => tag),
    [tiles],
  );
  const isEmpty = zones.length === 0 && columns.allTiles.length === 0;
  return (
    <div className="relative flex min-w-0 flex-1 flex-col">
      <h1 className="sr-only">{name}</h1>
      {slots.renderBanner({ isEmpty, isAskOpen })}
      {!isEmpty && (
        <Toolbar
          view={view}
          onChange={onView}
          tags={tags}
          isLoading={isPartLoaded && needsAllTiles(view)}
          failed={failed}
          onRetryFailed={() => retryFailed(undefined, { onSuccess: (outcome) => showToast({ text: describeRetried(outcome) }) })}
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

function describeRetried({ retried, refused }: RetryOutcome): string {
  if (retried === 0 && refused === 0) return "None of these tiles can be refreshed: they are notes, or their text was edited.";
  if (refused === 0) return `Refreshing ${formatCount(retried, "tile")}.`;
  const left =
    refused === 1
      ? "1 tile was left out: the server does not fetch its address."
      : `${formatCount(refused, "tile")} were left out: the server does not fetch their addresses.`;
  return retried === 0 ? left : `Refreshing ${formatCount(retried, "tile")}. ${left}`;
}
