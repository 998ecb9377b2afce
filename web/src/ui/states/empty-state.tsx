import type { ReactNode } from "react";
import { cn } from "../class-names.ts";

export type EmptyStateProps = {
  readonly title: string;
  /** What belongs here and how it gets here. */
  readonly children?: ReactNode;
  readonly icon?: ReactNode;
  readonly actions?: ReactNode;
  /** Whether it is all that the page says, so that its title is the page's. */
  readonly isPage?: boolean;
  readonly className?: string | undefined;
};

/** What stands where nothing is yet. */
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
