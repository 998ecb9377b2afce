import type { ReactNode } from "react";
import { cn } from "../class-names.ts";

export type EmptyStateProps = {
  readonly title: string;
  /** What belongs here and how to add it. */
  readonly children?: ReactNode;
  readonly icon?: ReactNode;
  readonly actions?: ReactNode;
  /** Whether this is the only content of the page, so that its title is the page's heading. */
  readonly isPage?: boolean;
  readonly className?: string | undefined;
};

/** Shown where there is no content yet. */
export function EmptyState({ title, children, icon, actions, isPage = false, className }: EmptyStateProps) {
  const Title = isPage ? "h1" : "p";
  return (
    <div className={cn("mx-auto flex max-w-sm flex-col items-center gap-2 px-4 py-10 text-center", className)}>
      {icon !== undefined && <div className="mb-1 text-quiet [&_svg]:size-7">{icon}</div>}
      <Title className="text-lg font-semibold">{title}</Title>
      {children !== undefined && <div className="text-quiet">{children}</div>}
      {actions !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
