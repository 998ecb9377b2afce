import type { ReactNode } from "react";
import { cn } from "../class-names.ts";

export type PanelProps = {
  readonly title?: ReactNode;
  readonly description?: ReactNode;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string | undefined;
};

/** A bordered section with a heading. */
export function Panel({ title, description, actions, children, className }: PanelProps) {
  return (
    <section className={cn("rounded-lg border border-line bg-raised", className)}>
      {(title !== undefined || actions !== undefined) && (
        <header className="flex flex-wrap items-start gap-3 px-5 pt-4">
          <div className="min-w-0 flex-1">
            {title !== undefined && <h2 className="text-lg font-semibold">{title}</h2>}
            {description !== undefined && <div className="mt-0.5 text-sm text-quiet">{description}</div>}
          </div>
          {actions}
        </header>
      )}
      <div className="px-5 py-4">{children}</div>
    </section>
  );
}
