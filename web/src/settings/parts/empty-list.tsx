import { EmptyState, type EmptyStateProps } from "../../ui/states/empty-state.tsx";

/** Shown instead of an empty list. */
export const EmptyList = (props: EmptyStateProps) => (
  <div className="rounded-lg border border-line bg-raised">
    <EmptyState {...props} />
  </div>
);
