import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { cn } from "../ui/class-names.ts";
import { type Section, type SectionId, sectionPath } from "./sections.ts";

/** The navigation: beside the page on wide screens, a scrolling row above it on narrow ones. */
export function SettingsNav({ sections, current }: { readonly sections: readonly Section[]; readonly current: SectionId }) {
  const list = useRef<HTMLUListElement>(null);
  // On phones the current section may be outside the visible part of the row, also after the page became narrower.
  useEffect(() => {
    const row = list.current;
    if (row === null) return undefined;
    const observer = new ResizeObserver(() => {
      const open = row.querySelector<HTMLElement>("[aria-current]");
      if (open !== null) row.scrollLeft = open.offsetLeft - (row.clientWidth - open.offsetWidth) / 2;
    });
    observer.observe(row);
    return () => observer.disconnect();
  }, [current]);
  return (
    <nav aria-label="Settings" className="-mx-4 shrink-0 border-b border-line sm:-mx-6 md:mx-0 md:w-44 md:border-0">
      <ul ref={list} className="relative flex gap-1 overflow-x-auto px-4 pb-2 sm:px-6 md:sticky md:top-8 md:flex-col md:px-0 md:pb-0">
        {sections.map(({ id, name }) => (
          <li key={id} className="shrink-0">
            <Link
              href={sectionPath(id)}
              aria-current={id === current ? "page" : undefined}
              className={cn(
                "flex min-h-9 items-center rounded-md px-3 whitespace-nowrap pointer-coarse:min-h-11",
                id === current ? "bg-accent-soft font-medium text-ink" : "text-quiet hover:bg-hover hover:text-ink",
              )}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
