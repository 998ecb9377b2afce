import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { getErrorMessage } from "../../api/client/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Notice } from "../../ui/states/notice.tsx";
import { Spinner } from "../../ui/icons/spinner.tsx";

/** Renders the data of a query, a spinner while it loads, or its error with a retry button. */
export function QueryView<T>({
  query,
  label,
  children,
}: {
  readonly query: Pick<UseQueryResult<T>, "data" | "error" | "isFetching" | "refetch">;
  /** What is loaded, such as "API keys". */
  readonly label: string;
  readonly children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) {
    return (
      <div className="flex min-h-32 items-center justify-center text-quiet">
        <Spinner label={`Loading ${label}`} />
      </div>
    );
  }
  return (
    <Notice kind="problem" className="flex flex-wrap items-center justify-between gap-3">
      <span>{getErrorMessage(query.error)}</span>
      <Button size="sm" isBusy={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    </Notice>
  );
}
