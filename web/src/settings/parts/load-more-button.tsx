import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { Button } from "../../ui/controls/button.tsx";

/** Loads the next page of a list. */
export function LoadMoreButton({
  query,
  label,
}: {
  readonly query: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
  /** What is loaded, such as "older entries". */
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
