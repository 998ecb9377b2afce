import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Button } from "../../ui/controls/button.tsx";

/** The button at the end of a list that has more. */
export function LoadMoreButton({
  query,
  label,
}: {
  readonly query: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
  /** What comes, such as "older entries". */
  readonly label: string;
}) {
  if (!query.hasNextPage) return null;
  return (
    <div className="flex justify-center">
      <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        Show {label}
      </Button>
    </div>
  );
}
