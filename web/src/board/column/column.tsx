import { type DragEvent, memo, useRef, useState } from "react";
import { cn } from "../../ui/class-names.ts";
import { useBoard } from "../board-context.ts";
import { parseEntries, readTransferText } from "../model/parse-input.ts";
import type { BoardColumn } from "../model/tile.ts";
import { useStore } from "../model/store.ts";
import { ColumnBody } from "./column-body.tsx";
import { ColumnHeader } from "./column-header.tsx";
import { Composer } from "./composer.tsx";
import { getColorClass, getWidthClass } from "./zone-style.ts";

type ColumnProps = { readonly column: BoardColumn; readonly isFiltered: boolean; readonly isFirst: boolean; readonly isLast: boolean };

/** A zone as a column: header, input field and cards. Links, text and files can be dropped anywhere on it. */
export const Column = memo(function Column({ column, isFiltered, isFirst, isLast }: ColumnProps) {
  const board = useBoard();
  const composer = useRef<HTMLTextAreaElement>(null);
  const [isOver, setOver] = useState(false);
  const isTarget = useStore(board.drag, (drag) => drag?.target?.columnId === column.id);
  const color = getColorClass(column.zone?.color ?? null);

  return (
    <section
      data-column={column.id}
      aria-label={column.name}
      onDragOver={(event) => {
        if (!carriesContent(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
        setOver(true);
      }}
      onDragLeave={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!carriesContent(event)) return;
        event.preventDefault();
        const files = [...event.dataTransfer.files];
        void board.actions.add(column.id, files.length > 0 ? [] : parseEntries(readTransferText(event.dataTransfer)), files);
      }}
      className={cn(
        "relative flex h-full shrink-0 snap-center flex-col overflow-hidden rounded-xl border bg-surface transition-colors",
        isOver || isTarget ? "border-accent ring-1 ring-accent" : "border-line",
        getWidthClass(column.zone),
      )}
    >
      <span className={cn("h-1 shrink-0", color)} />
      <ColumnHeader column={column} isFirst={isFirst} isLast={isLast} isFiltered={isFiltered} />
      <Composer ref={composer} column={column} />
      <ColumnBody column={column} isFiltered={isFiltered} onEmptyFocus={() => composer.current?.focus()} />
      {isOver && (
        <p className="pointer-events-none absolute inset-x-3 bottom-3 rounded-lg bg-accent px-3 py-2 text-center text-sm font-medium text-accent-ink">
          Drop to add to {column.name}
        </p>
      )}
    </section>
  );
});

const carriesContent = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer.types.some((type) => type === "Files" || type === "text/uri-list" || type === "text/plain");
