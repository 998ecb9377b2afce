import { useCallback, useState } from "react";
import { addTagFilter, DEFAULT_VIEW, type View } from "../model/view.ts";

/** The filters and the sorting of a board, and functions that change one of them, which are stable. */
export function useView() {
  const [view, setView] = useState<View>(DEFAULT_VIEW);
  const setManualOrder = useCallback(() => setView((current) => ({ ...current, sorting: "manual" })), []);
  const filterByTag = useCallback((tag: string) => setView((current) => addTagFilter(current, tag)), []);
  return { view, setView, setManualOrder, filterByTag };
}
