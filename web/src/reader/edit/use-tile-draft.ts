import { useEffect } from "react";
import { useDraftState } from "../../api/drafts/use-draft-state.ts";

export type EditedField = "title" | "content";

/** Unsaved input and the version it is based on. */
export type Draft = { readonly field: EditedField; readonly value: string; readonly base: string; readonly etag: string | null };

const isChanged = (draft: Draft | null): draft is Draft => draft !== null && draft.value !== draft.base;

/**
 * The unsaved input of a tile. It survives closing the panel and the end of the session until it is saved or discarded. The browser asks
 * before the page is closed.
 */
export function useTileDraft(tileId: string) {
  const [draft, setDraft] = useDraftState<Draft>(`tile/${tileId}`);
  const isDirty = isChanged(draft);

  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isDirty]);
  // Unchanged input is not kept.
  useEffect(() => () => setDraft((left) => (isChanged(left) ? left : null)), [setDraft]);

  return { draft, isDirty, setDraft };
}
