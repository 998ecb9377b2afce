import type { ReactNode } from "react";
import { useTitle } from "../../ui/hooks/use-title.ts";
import { TITLE_ID } from "./restore-focus.ts";

/** The layout of a section: heading, introduction, actions and content. */
export function SectionLayout({
  title,
  lead,
  actions,
  children,
}: {
  readonly title: string;
  readonly lead: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  useTitle(title);
  return (
    <div className="flex flex-col gap-5">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 sm:flex-nowrap">
        <div className="max-w-2xl min-w-0">
          <h1 id={TITLE_ID} tabIndex={-1} className="text-2xl font-semibold outline-none">
            {title}
          </h1>
          <p className="mt-1 text-pretty text-quiet">{lead}</p>
        </div>
        {actions}
      </header>
      {children}
    </div>
  );
}
