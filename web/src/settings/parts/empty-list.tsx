import { EmptyState, type EmptyStateProps } from "../../ui/states/empty-state.tsx";

/** What stands in the place of a list that has nothing yet. */
export const EmptyList = (props: EmptyStateProps) => (
  <div className="rounded-lg border border-line bg-raised">
    <EmptyState {...props} />
  </div>
);
