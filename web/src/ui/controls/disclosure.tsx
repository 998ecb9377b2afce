import type { ReactNode } from "react";
import { ChevronRightIcon } from "../icons/icons.ts";

export type DisclosureProps = {
  readonly title: string;
  /** Shown beside the title, such as a count. */
  readonly note?: ReactNode;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
};

/** A collapsible section. */
export function Disclosure({ title, note, isOpen = false, children }: DisclosureProps) {
  return (
    <details className="group rounded-md border border-line bg-surface" open={isOpen}>
      <summary className="flex list-none items-center gap-2 rounded-md px-3 py-2 text-sm font-medium hover:bg-hover pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRightIcon className="transition-transform group-open:rotate-90" />
        {title}
        {note !== undefined && <span className="font-normal text-quiet">{note}</span>}
      </summary>
      <div className="border-t border-line px-3 py-3">{children}</div>
    </details>
  );
}
