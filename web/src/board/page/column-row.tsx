import { type ReactNode, useRef } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { BoardIcon, PlusIcon, SearchIcon } from "../../ui/icons/icons.ts";
import type { BoardSlots } from "../board-slots.ts";
import { Column } from "../column/column.tsx";
import { NO_ZONE, type BoardColumn } from "../model/tile.ts";
import { AddZone } from "./add-zone.tsx";
import { ZoneTabs } from "./zone-tabs.tsx";

type ColumnRowProps = {
  readonly columns: readonly BoardColumn[];
  readonly isFiltered: boolean;
  /** The board has neither zones nor tiles. */
  readonly isEmpty: boolean;
  readonly renderOffer: BoardSlots["renderOffer"];
  readonly onShowAll: () => void;
  readonly onFilter: () => void;
  readonly isAddingZone: boolean;
  readonly onAddZone: (isAdding: boolean) => void;
};

/** The columns side by side; on phones one at a time, swiped. */
export function ColumnRow({ columns, isFiltered, isEmpty, renderOffer, onShowAll, onFilter, isAddingZone, onAddZone }: ColumnRowProps) {
  const row = useRef<HTMLDivElement>(null);
  const zones = columns.filter(({ id }) => id !== NO_ZONE);
  const isNothingFound = isFiltered && columns.every(({ tiles, loaded }) => tiles.length === 0 && loaded === "all");

  if (isEmpty && !isAddingZone) return <FirstSteps onAddZone={() => onAddZone(true)} renderOffer={renderOffer} />;
  return (
    <>
      <ZoneTabs columns={columns} row={row} onFilter={onFilter} />
      {isNothingFound && (
        <p className="mx-3 mt-1 flex items-center gap-2 rounded-lg border border-line bg-surface px-3 py-2">
          <SearchIcon className="text-quiet" />
          <span className="flex-1">No tiles match the filters.</span>
          <Button size="sm" onClick={onShowAll}>
            Clear filters
          </Button>
        </p>
      )}
      <div
        ref={row}
        className="flex min-h-0 flex-1 snap-x snap-mandatory items-stretch gap-3 overflow-x-auto scroll-px-5 p-3 pt-2 max-sm:px-5 sm:snap-none"
      >
        {columns.map((column) => (
          <Column
            key={column.id}
            column={column}
            isFiltered={isFiltered}
            isFirst={column.id === zones[0]?.id}
            isLast={column.id === zones.at(-1)?.id}
          />
        ))}
        <AddZone isOpen={isAddingZone} onOpen={onAddZone} />
      </div>
    </>
  );
}

type FirstStepsProps = { readonly onAddZone: () => void; readonly renderOffer: (slot: { readonly onDecline: () => void }) => ReactNode };

function FirstSteps({ onAddZone, renderOffer }: FirstStepsProps) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <div className="my-auto min-h-0 overflow-y-auto">
      <EmptyState
        title="This board is empty"
        icon={<BoardIcon />}
        className="max-w-md!"
        actions={
          <Button ref={button} variant="primary" onClick={onAddZone}>
            <PlusIcon />
            Add the first zone
          </Button>
        }
      >
        <p>
          A zone is a column for related tiles, such as Research or Ideas. For each zone you decide whether its tiles are used in answers.
        </p>
        <p className="mt-2">Or paste a link or a text anywhere on this page to create a tile.</p>
      </EmptyState>
      {renderOffer({ onDecline: () => button.current?.focus() })}
    </div>
  );
}
