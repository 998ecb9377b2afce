import type { ReactNode } from "react";

/** A list with one item per row. */
export function List({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-lg border border-line bg-raised">
      {children}
    </ul>
  );
}

/** A list item: title, badges, details and actions. */
export function ListItem({
  title,
  badges,
  details,
  actions,
  children,
}: {
  readonly title: ReactNode;
  readonly badges?: ReactNode;
  readonly details?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <bdi className="min-w-0 font-semibold break-words">{title}</bdi>
            {badges}
          </div>
          {details !== undefined && <div className="mt-0.5 flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-quiet">{details}</div>}
        </div>
        {actions !== undefined && <div className="flex shrink-0 items-center gap-1">{actions}</div>}
      </div>
      {children}
    </li>
  );
}
