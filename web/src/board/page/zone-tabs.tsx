import { type RefObject, useEffect, useState } from "react";
import { cn } from "../../ui/class-names.ts";
import { IconButton } from "../../ui/controls/icon-button.tsx";
import { FilterIcon } from "../../ui/icons/icons.ts";
import { findCentredColumn, scrollToColumn } from "../column/row-scroll.ts";
import { getColorClass } from "../column/zone-style.ts";
import type { BoardColumn } from "../model/tile.ts";

type ZoneTabsProps = {
  readonly columns: readonly BoardColumn[];
  readonly row: RefObject<HTMLElement | null>;
  readonly onFilter: () => void;
};

/** On phones, where one column fills the screen: tabs for all columns, with the visible one marked. */
export function ZoneTabs({ columns, row, onFilter }: ZoneTabsProps) {
  const [shown, setShown] = useState<string | null>(null);

  useEffect(() => {
    const element = row.current;
    if (element === null) return undefined;
    const update = (): void => setShown(findCentredColumn(element)?.dataset["column"] ?? null);
    update();
    element.addEventListener("scroll", update, { passive: true });
    return () => element.removeEventListener("scroll", update);
  }, [row, columns]);

  useEffect(() => {
    const tab = shown === null ? null : document.querySelector(`[data-tab="${CSS.escape(shown)}"]`);
    const strip = tab?.parentElement;
    if (tab instanceof HTMLElement && strip) strip.scrollTo({ left: tab.offsetLeft - strip.clientWidth / 2 + tab.offsetWidth / 2 });
  }, [shown]);

  return (
    <div className="flex shrink-0 border-b border-line bg-surface sm:hidden">
      <nav aria-label="Zones" className="relative flex min-w-0 flex-1 gap-1 overflow-x-auto px-2">
        {columns.map(({ id, name, zone, tiles, loaded, total }) => (
          <button
            key={id}
            type="button"
            data-tab={id}
            aria-current={id === shown ? "true" : undefined}
            onClick={() => scrollToColumn(row.current?.querySelector(`[data-column="${CSS.escape(id)}"]`))}
            className="relative flex min-h-11 shrink-0 items-center gap-1.5 px-2.5 text-sm text-quiet aria-[current]:font-semibold aria-[current]:text-ink"
          >
            {zone?.emoji && <span aria-hidden="true">{zone.emoji}</span>}
            <bdi className="max-w-40 truncate">{name}</bdi>
            <span className="tabular-nums">{(loaded === "all" ? tiles.length : total)?.toLocaleString("en")}</span>
            {id === shown && (
              <span
                className={cn("absolute inset-x-1 bottom-0 h-0.5 rounded-full", zone?.color ? getColorClass(zone.color) : "bg-accent")}
              />
            )}
          </button>
        ))}
      </nav>
      <IconButton label="Filter and sort" hasTooltip={false} onClick={onFilter}>
        <FilterIcon />
      </IconButton>
    </div>
  );
}
