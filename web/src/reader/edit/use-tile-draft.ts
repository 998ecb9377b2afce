import { useEffect } from "react";
import { useDraftState } from "../../api/drafts/use-draft-state.ts";

export type EditedField = "title" | "content";

/** What is being typed, and the version that it began from. */
export type Draft = { readonly field: EditedField; readonly value: string; readonly base: string; readonly etag: string | null };

const isChanged = (draft: Draft | null): draft is Draft => draft !== null && draft.value !== draft.base;

/**
 * What is being typed into a tile. It outlives the panel, which the browser's back button may take away, and the session, until it is
 * saved or given up; and leaving the page altogether is asked about first.
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
  // A field that was opened and not typed into is no draft.
  useEffect(() => () => setDraft((left) => (isChanged(left) ? left : null)), [setDraft]);

  return { draft, isDirty, setDraft };
}
